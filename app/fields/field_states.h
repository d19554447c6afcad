// What a section says of itself after its name: the values of its fields, in few words.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "core/graph/fields.h"

namespace attn {

// "sinusoidal · 64 × 32": those that say something.
std::string states(std::initializer_list<std::string> parts);
// "Gaussian + 2": of several the first, and how many more there are; "none".
std::string state_of_several(const std::vector<std::string>& names);

// A number with its name: "seed 7".
std::string state_of(const CountField& field, std::size_t value);
std::string state_of(const NumberField& field, double value);
// Its name where it is on.
std::string state_of(const SwitchField& field, bool on);
// The choice by its title.
template <class Choice, std::size_t N>
std::string state_of(const ChoiceField<Choice, N>& field, Choice value) {
  return std::string(field.words[field.index_of(value)].title);
}
template <class Choice, std::size_t N>
std::string state_of(const ChoicesField<Choice, N>& field, const std::vector<Choice>& values) {
  std::vector<std::string> names;
  for (const Choice value : values) names.push_back(state_of(field.each, value));
  return state_of_several(names);
}

}  // namespace attn
