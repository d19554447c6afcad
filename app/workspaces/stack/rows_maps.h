// Small maps of weights: where a row, and a cell under the pointer, lie in one, and the colours of all.
// Private to app/workspaces/stack.
#pragma once

#include <string>

#include "app/workspaces/stack/scene.h"

namespace attn {

struct SmallMap {
  Rect box;
  std::size_t rows = 1, columns = 1;

  Rect row(std::size_t index) const;
  // Clamped into the map.
  Cell at(ImVec2 point, std::size_t head) const;
};

// On the dark end of their colours, which is the same in every theme.
inline constexpr ImU32 kMapOutline = IM_COL32_WHITE, kMapOutlineSoft = IM_COL32(255, 255, 255, 120);

// Cells as high as wide, the longer side as given, from that corner.
SmallMap small_map(const Theme& theme, ImVec2 corner, float side, const Shape& shape);
float map_height(const Theme& theme, float side, const Shape& shape);

// From 0 to a round number at or above the largest weight that they show: one for all of them.
ColourMap weights_map(const Theme& theme, double most);
// "0…0.5".
std::string weights_range(const ColourMap& map);

// "0.3163"; a dash: it is no number.
std::string weight_text(double value, int decimals = 4);
// The tokens that a weight is between, and the weight: "“a” → “7”: 0.3163".
std::string weight_words(const Stage& stage, Cell cell, double weight);
// "“a”".
std::string quoted_token(const Axis& axis, std::size_t index);

}  // namespace attn
