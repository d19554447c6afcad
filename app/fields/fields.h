// The rows of the controls: a label and a box with a value to drag, step, type or choose.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/frame/frame.h"
#include "core/graph/fields.h"

namespace attn {

// Where the rows lie, in pixels.
struct Column {
  float left, right;
};

// A caption over what follows: over what is done and not set, which has no state to be folded to. `word`: of
// the strip that a narrow window makes of the controls; none: the title; empty: it has no word there.
void section(Frame& frame, Column column, std::string_view title,
             std::optional<std::string_view> word = std::nullopt);
// The head of a section that can be folded: a chevron, its title and, at the right, its state in few words
// (fields/field_states.h). Whether it is open, and its rows are to be drawn: as the person left it, while a
// step is about it, and while one of its rows is typed into or refused.
struct Foldable {
  std::string_view title;
  std::string state = {};
  bool open = false;     // until the person folds it
  bool differs = false;  // from the layer that it is compared with
};
bool foldable_section(Frame& frame, Column column, const Foldable& fold);
// Behind the last row of the controls: rows that are typed into are looked for in what is folded.
void end_sections(View& view);
// Quiet words under a group of controls, wrapped.
void hint(Frame& frame, Column column, const std::string& text);

// What every row says: `id` names it for focus, tests and View::field.
struct FieldRow {
  std::string id, label, tooltip;
};
// A field of the document as a row.
inline FieldRow row_of(const FieldText& text) {
  return {std::string(text.key), std::string(text.title), std::string(text.sentence)};
}

// A value that cannot be changed here.
void value_row(Frame& frame, Column column, const FieldRow& row, const std::string& value);

// A number, and what it can be.
struct NumberBox {
  double value = 0;
  double least = -std::numeric_limits<double>::max(), most = std::numeric_limits<double>::max();
  double per_pixel = 0;         // of a drag; 0: only to be typed
  std::string_view takes = {};  // the range in words, behind "it must be"; empty: any finite number
  std::string shown = {};       // the value as it is read; empty: as a decimal
};
// The box of a field: its range and its drag.
NumberBox box_of(const NumberField& field, double value);

// The number that the person wants now.
std::optional<double> number_row(Frame& frame, Column column, const FieldRow& row, const NumberBox& box);

// A whole number, with − and + at its sides.
struct CountBox {
  std::uint64_t value = 0, least = 0, most = std::numeric_limits<std::uint64_t>::max();
};
// The one that the person wants now; `direction` is −1 or +1 when it was stepped, 0 when it was typed.
struct WantedCount {
  std::uint64_t value = 0;
  int direction = 0;
};
std::optional<WantedCount> count_row(Frame& frame, Column column, const FieldRow& row, const CountBox& box);

// The text the person has committed.
std::optional<std::string> text_row(Frame& frame, Column column, const FieldRow& row,
                                    const std::string& value);

// The position of the choice made. `says`: more about each in the list, as a tooltip; may be empty.
std::optional<std::size_t> choice_row(Frame& frame, Column column, const FieldRow& row,
                                      std::span<const std::string> names, std::size_t current,
                                      std::span<const std::string> says = {});

// The row's last value was refused: says so under it from now on, with values that would do as buttons.
void refuse(View& view, const std::string& id, const std::string& error, std::vector<std::size_t> fixes = {});
// Under which row a refusal stands, what it says before the error, and which values would do.
struct RefusedAt {
  std::string row, before = {};
  std::function<std::vector<std::size_t>()> fixes = {};
};
// Does it, or refuses what it throws as an Error. Whether it was done.
bool attempt_in_row(View& view, const RefusedAt& at, const std::function<void()>& act);
// Draws that. The fix that was clicked.
std::optional<std::size_t> refusal(Frame& frame, Column column, const std::string& id);

}  // namespace attn
