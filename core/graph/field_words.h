// Values of fields as words, as a person says them: "mean", "4", "on", "0.1 0.3".
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/graph/fields.h"

namespace attn {

using ValueWords = std::vector<std::string>;

// A whole number of either sign.
struct OffsetField {
  FieldText text;
};

// "a whole number from 1 to 64", "a number, from 0 to 1".
std::string taken_by(const CountField& field);
std::string taken_by(const NumberField& field);

// Throws Error: which words are no value of the field, the nearest that would be, and what it takes.
[[noreturn]] void refuse_words(const FieldText& field, const ValueWords& words, std::string_view takes,
                               const ValueWords& known = {});

// Sets a value by its words. Throws what refuse_words throws; the value stays then.
void read_words(const SwitchField& field, const ValueWords& words, bool& value);
void read_words(const CountField& field, const ValueWords& words, std::size_t& value);
void read_words(const CountField& field, const ValueWords& words, std::optional<std::size_t>& value);
void read_words(const OffsetField& field, const ValueWords& words, std::ptrdiff_t& value);
void read_words(const NumberField& field, const ValueWords& words, double& value);
void read_words(const NumbersField& field, const ValueWords& words, std::vector<double>& values);
void read_words(const SetField& field, const ValueWords& words, std::vector<std::size_t>& values);
template <class Choice, std::size_t N>
void read_words(const ChoiceField<Choice, N>& field, const ValueWords& words, Choice& value) {
  const auto choice = words.size() == 1 ? field.choice_of(words[0]) : std::nullopt;
  if (!choice) refuse_words(field.text, words, "", field.all_words());
  value = *choice;
}
template <class Choice, std::size_t N>
void read_words(const ChoicesField<Choice, N>& field, const ValueWords& words, std::vector<Choice>& values) {
  if (words.empty()) refuse_words(field.text, words, "", field.each.all_words());
  std::vector<Choice> read;
  for (const std::string& word : words) {
    Choice choice;
    read_words(field.each, {word}, choice);
    if (std::ranges::find(read, choice) == read.end()) read.push_back(choice);
  }
  if (read.size() > field.most)
    refuse_words(field.text, words, "at most " + std::to_string(field.most) + " of them");
  values = std::move(read);
}

// What read_words makes the same value of.
std::string words_of(const SwitchField& field, bool value);
std::string words_of(const CountField& field, const std::optional<std::size_t>& value);
std::string words_of(const OffsetField& field, std::ptrdiff_t value);
std::string words_of(const NumberField& field, double value);
template <class Choice, std::size_t N>
std::string words_of(const ChoiceField<Choice, N>& field, Choice value) {
  return std::string(field.word_of(value));
}

// Sets the field of that name; false: none of these that words can say has it. Throws what read_words throws.
template <class Fields>
bool set_field(Fields& fields, std::string_view name, const ValueWords& words) {
  bool found = false;
  visit_fields(of<Fields>, [&](const auto& field, auto member) {
    if constexpr (requires { read_words(field, words, fields.*member); })
      if (text_of(field).key == name) {
        read_words(field, words, fields.*member);
        found = true;
      }
  });
  return found;
}

// The names of those that set_field sets.
template <class Fields>
ValueWords field_names() {
  ValueWords names;
  visit_fields(of<Fields>, [&](const auto& field, auto member) {
    if constexpr (requires(Fields fields) { read_words(field, names, fields.*member); })
      names.emplace_back(text_of(field).key);
  });
  return names;
}

// "row 3" for each field that is not as in a new one.
template <class Fields>
ValueWords said_fields(const Fields& fields) {
  ValueWords said;
  visit_fields(of<Fields>, [&](const auto& field, auto member) {
    if (!(fields.*member == Fields().*member))
      said.push_back(std::string(text_of(field).key) + " " + words_of(field, fields.*member));
  });
  return said;
}

}  // namespace attn
