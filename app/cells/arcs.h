// Token arcs: a curve from each query to each key it attends to, as thick as the weight.
#pragma once

#include "app/cells/matrix_grid.h"

namespace attn {

struct Arcs {
  Grid grid;         // the weights: stage, values, mask, head, labels, title
  Rect box;          // the whole, title included
  float top = 0;     // of the first row, in pixels
  float pitch = 28;  // from row to row, in pixels
};

// Pixels that are taken by the labels on both sides; the curves take the rest of the box.
float arcs_label_width(const Theme& theme, const Axis& axis, std::size_t count);

// Hovering a curve hovers its weight, clicking it pins it.
void draw_arcs(Frame& frame, const Arcs& arcs);

}  // namespace attn
