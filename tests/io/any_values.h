// Random numbers, matrices, texts and layers for random documents (tests/io/any_document.h).
#pragma once

#include <algorithm>
#include <random>

#include "core/document/document.h"

namespace attn::tests {

using Bits = std::mt19937_64;

inline std::size_t choose(Bits& random, std::size_t low, std::size_t high) {
  return std::uniform_int_distribution<std::size_t>(low, high)(random);
}

inline bool flip(Bits& random) {
  return choose(random, 0, 1) == 1;
}

inline double any_double(Bits& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

float any_float(Bits& random);
Tensor any_tensor(Bits& random);
std::string any_label(Bits& random);
Labels any_labels(Bits& random);
Position any_position(Bits& random);
LayerSpec any_layer(Bits& random);

// Choices and lists are left as they are.
template <class Spec>
void any_numbers(Bits& random, Spec& spec) {
  visit_fields(of<Spec>, [&](const auto& field, auto member) {
    using Field = std::remove_cvref_t<decltype(field)>;
    if constexpr (std::is_same_v<Field, CountField>)
      spec.*member = choose(random, field.least, std::min<std::size_t>(field.most, 1u << 20));
    if constexpr (std::is_same_v<Field, NumberField>)
      spec.*member = any_double(random, field.least, field.most);
    if constexpr (std::is_same_v<Field, TensorField>) spec.*member = any_tensor(random);
    if constexpr (std::is_same_v<Field, SwitchField>) spec.*member = flip(random);
    if constexpr (std::is_same_v<Field, LabelsField>) spec.*member = any_labels(random);
  });
}

}  // namespace attn::tests
