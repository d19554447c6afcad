// Shelf: parts of a canvas in rows from top to bottom, side by side within a row. Pure arithmetic.
#pragma once

#include <initializer_list>
#include <utility>
#include <vector>

#include "app/frame/frame.h"

namespace attn {

struct Shelf {
  float left, right, y;
  Rect take(float height, float gap) {
    const Rect row{{left, y}, {right, y + height}};
    y += height + gap;
    return row;
  }
  // Parts side by side, each with its share of a row.
  void side_by_side(std::initializer_list<std::pair<Rect*, float>> parts, float height, float gap,
                    float below);
};

// From a share of a row's width to another; half a gap is kept on the sides within the row.
Rect part_of(Rect row, float from, float to, float gap);

// Matrices side by side, as many as have room to be read, row after row: the height that so many take, and
// their places.
float shared_height(const Theme& theme, float width, std::size_t count, float row_height);
std::vector<Rect> shared_out(const Theme& theme, Rect area, std::size_t count);

Rect moved(Rect area, ImVec2 by);
bool in_sight(Rect area, Rect canvas);

}  // namespace attn
