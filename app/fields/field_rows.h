// Rows for the fields of a part of the document, each by its type.
#pragma once

#include "app/fields/fields.h"
#include "app/widgets/chips.h"

namespace attn {

// The row of a field of a part: its id begins with the part's name, if that isn't empty ("position.base").
FieldRow row_in(const std::string& part, const FieldText& text);

// A chip that is on or off.
void switch_chip(ChipRow& row, Chip chip, bool& value);
// A chip for each word of a field: "map mean".
template <class Choice, std::size_t N>
void choice_chips(ChipRow& row, const ChoiceField<Choice, N>& about, Choice& value) {
  for (const auto& word : about.words)
    if (row.add({.id = std::string(about.text.key) + " " + std::string(word.word),
                 .text = std::string(word.title),
                 .tooltip = std::string(about.text.sentence),
                 .on = value == word.choice}))
      value = word.choice;
}

// Draws that row. True when the person has changed the value.
bool field_row(Frame& frame, Column column, const std::string& part, const NumberField& field, double& value);
bool field_row(Frame& frame, Column column, const std::string& part, const CountField& field,
               std::size_t& value);
bool field_row(Frame& frame, Column column, const std::string& part, const SwitchField& field, bool& value);
template <class Choice, std::size_t N>
bool field_row(Frame& frame, Column column, const std::string& part, const ChoiceField<Choice, N>& field,
               Choice& value) {
  const auto chosen =
      choice_row(frame, column, row_in(part, field.text), field.titles(), field.index_of(value));
  if (chosen) value = field.words[*chosen].choice;
  return chosen.has_value();
}

// All fields of a part, in their order.
template <class Part>
bool field_rows(Frame& frame, Column column, const std::string& name, Part& part) {
  bool changed = false;
  visit_fields(of<Part>, [&](const auto& field, auto member) {
    changed = field_row(frame, column, name, field, part.*member) || changed;
  });
  return changed;
}

}  // namespace attn
