// Head strip: a small map of every head's weights. Clicking one shows that head large.
#pragma once

#include "app/cells/matrix_grid.h"

namespace attn {

struct HeadStrip {
  Grid grid;            // the weights: stage, values, mask, title
  Rect box;             // the whole, title included
  bool fitted = false;  // maps as large as the box lets them be
};

// Pixels that `heads` maps take in lines no wider than `room`.
ImVec2 head_strip_size(const Theme& theme, std::size_t heads, float room);
ImVec2 head_strip_title(const Theme& theme);  // of them: its height, no width

// One of them. Maps in a row, with nothing between them, are drawn without a change of OpenGL's state.
void draw_map_of_head(Frame& frame, const Grid& grid, Rect map, std::size_t head, float opacity);

void draw_head_strip(Frame& frame, const HeadStrip& strip);

}  // namespace attn
