// The number in a cell: as many digits as fit, one behind the point at least unless it is whole.
#pragma once

#include <string>

#include "app/cells/cell_layout.h"

namespace attn {

// "-1.50" with `decimals` digits behind the point (rounded to nearest, never "-0.00"); "∞", "−∞", "NaN".
std::string cell_text(float value, int decimals);

// "-2.9e5": the shortest that tells size and sign, with `digits` digits behind the point.
std::string scientific(float value, int digits);

// How the numbers of a grid are written: one font and as many decimals for all, so that they can be compared.
struct NumberStyle {
  const ImFont* font = nullptr;   // null: cells are too small for numbers
  const ImFont* small = nullptr;  // for the long ones
  int decimals = 2;
  float room = 0;  // pixels
  // Another layer's, or gradients, of which 0 alone reads as 0: two decimals, fewer from 10 on, a power of
  // ten below 0.005.
  bool compared = false;
};
NumberStyle number_style(const CellLayout& layout, const Grid& grid, const Theme& theme);

// Pixels from one cell to the next with which every number of the grid can be written. It changes with their
// powers of ten only, so that cells stay as they are while a number is dragged.
float least_pitch(const Grid& grid, const Theme& theme);

struct FittedText {
  std::string text;  // empty: nothing fits; "…": there is a number, but no room for it
  const ImFont* font = nullptr;
  float width = 0;
};
FittedText fitted_number(const NumberStyle& style, float value);
inline constexpr const char* kTooLong = "…";

// The whole number, as copied and typed: "0.4857", "inf".
std::string exact_text(float value);

}  // namespace attn
