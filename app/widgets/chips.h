// Chips: small rounded buttons that are on or off, in rows that wrap.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/frame/frame.h"

namespace attn {

struct Chip {
  std::string id;  // stable, for focus and tests
  std::string text;
  std::string tooltip;  // empty: none
  bool on = false;
  bool filled = false;  // the current one of a sequence: accent all over
  bool faint = false;
};

// What it is drawn with; border 0: none.
struct ChipInk {
  ImU32 fill, border, text;
};
ChipInk chip_ink(const Theme& theme, const Chip& chip, bool hovered);

ImVec2 chip_size(const Theme& theme, const std::string& text);

// The lines that a row of chips takes between two edges.
std::size_t chip_lines(const Theme& theme, std::span<const std::string_view> texts, float width);
// From the top of a row of so many lines to what is below it.
float chip_rows_height(const Theme& theme, std::size_t lines);

// At the cursor. True when it was clicked, or pressed by the keyboard.
bool draw_chip(const Theme& theme, const Chip& chip);

// Lays chips side by side from `left`, on a new line when the next would pass `right`. Moves the cursor.
class ChipRow {
 public:
  ChipRow(const Theme& theme, float left, float right);
  bool add(const Chip& chip);
  // Puts the cursor below the last line.
  ~ChipRow();
  ChipRow(const ChipRow&) = delete;
  ChipRow& operator=(const ChipRow&) = delete;

 private:
  const Theme& theme_;
  float left_, right_, x_, y_;
  bool empty_ = true;
};

}  // namespace attn
