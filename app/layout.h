// Where the regions of the window lie: bar, controls, canvas, inspector, stage bar.
#pragma once

#include "app/frame.h"

namespace attn {

struct Layout {
  Rect top, controls, canvas, inspector, stages;
};

// Splits `size` by the settings' panel widths; narrow windows take from the panels before the canvas.
Layout make_layout(ImVec2 size, const Theme& theme, const Settings& settings);

// The splitters between the regions: dragging one changes the settings.
void draw_splitters(const Layout& layout, Frame& frame);

}  // namespace attn
