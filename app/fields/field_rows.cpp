// Numbers, counts and switches as rows of the controls.
#include "app/fields/field_rows.h"

namespace attn {

FieldRow row_in(const std::string& part, const FieldText& text) {
  FieldRow row = row_of(text);
  if (!part.empty()) row.id = part + "." + row.id;
  return row;
}

void switch_chip(ChipRow& row, Chip chip, bool& value) {
  chip.on = value;
  if (row.add(chip)) value = !value;
}

bool field_row(Frame& frame, Column column, const std::string& part, const NumberField& field,
               double& value) {
  const FieldRow row = row_in(part, field.text);
  const auto wanted = number_row(frame, column, row, box_of(field, value));
  if (wanted) value = *wanted;
  refusal(frame, column, row.id);
  return wanted.has_value();
}

bool field_row(Frame& frame, Column column, const std::string& part, const CountField& field,
               std::size_t& value) {
  const FieldRow row = row_in(part, field.text);
  const auto wanted =
      count_row(frame, column, row, {.value = value, .least = field.least, .most = field.most});
  if (wanted) value = wanted->value;
  refusal(frame, column, row.id);
  return wanted.has_value();
}

bool field_row(Frame& frame, Column column, const std::string& part, const SwitchField& field, bool& value) {
  const FieldRow row = row_in(part, field.text);
  ChipRow chips(frame.theme, column.left, column.right);
  const bool pressed = chips.add({.id = row.id, .text = row.label, .tooltip = row.tooltip, .on = value});
  if (pressed) value = !value;
  return pressed;
}

}  // namespace attn
