// Tiles of a display, and the few rectangles that hold some of them.
#pragma once

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/frame/rect.h"

namespace attn {

// The tiles of a display.
struct Tiles {
  static constexpr float kSide = 32;  // pixels; the software rasteriser has tiles of twice that side

  ImVec2 origin;
  int columns, rows;

  explicit Tiles(const ImDrawData& data)
      : origin(data.DisplayPos),
        columns(static_cast<int>(std::ceil(data.DisplaySize.x / kSide))),
        rows(static_cast<int>(std::ceil(data.DisplaySize.y / kSide))) {}

  std::size_t count() const { return static_cast<std::size_t>(columns * rows); }
  std::size_t index(int column, int row) const { return static_cast<std::size_t>(row * columns + column); }
  int column(float x) const { return std::clamp(static_cast<int>((x - origin.x) / kSide), 0, columns - 1); }
  int row(float y) const { return std::clamp(static_cast<int>((y - origin.y) / kSide), 0, rows - 1); }
  Rect region(int column, int column_end, int row, int row_end) const {
    const auto corner = [&](int c, int r) {
      return ImVec2{origin.x + static_cast<float>(c) * kSide, origin.y + static_cast<float>(r) * kSide};
    };
    return {corner(column, row), corner(column_end, row_end)};
  }
};

// Rectangles that hold all changed tiles (by Tiles::index) and few others: not many, and disjoint.
std::vector<Rect> regions_of(const std::vector<bool>& changed, const Tiles& tiles);

}  // namespace attn
