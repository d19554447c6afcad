// Where the regions of the window lie: bar, controls, canvas, inspector, stage bar.
#pragma once

#include "app/frame/frame.h"

namespace attn {

struct Layout {
  Rect top, controls, canvas, inspector, stages;
};

// The UI scale, or as much of it, from 1 on, as a window of `size` pixels has room for.
float fitting_scale(float scale, ImVec2 size);

// Splits `size` by the settings' panel widths; narrow windows take from the panels before the canvas.
Layout make_layout(ImVec2 size, const Theme& theme, const Settings& settings);

// The splitters between the regions: dragging one narrows or widens its panel, or hides it.
void draw_splitters(const Layout& layout, Frame& frame);

}  // namespace attn
