// Where the regions of the window lie: bar, controls, canvas, inspector, stage bar.
#pragma once

#include "app/frame/frame.h"

namespace attn {

// Points of width that a narrow window leaves the canvas while the panels can be narrowed.
inline constexpr float kWantedCanvas = 600;

struct Layout {
  Rect top, controls, canvas, inspector, stages;
  bool controls_folded = false, inspector_folded = false;  // to strips
  Rect course =
      {};  // while a lesson is played: a strip for its course, before the controls or in their place
};

// The UI scale, or as much of it, from 1 on, as a window of `size` pixels has room for.
float fitting_scale(float scale, ImVec2 size);

// The scale of a window of `size` pixels on a monitor of that scale: while it presents, as large as a
// sentence and one matrix have room for.
float window_scale(const View& view, float monitor, ImVec2 size);

// While the window presents: a canvas, and a line under it.
Layout presented_layout(ImVec2 size, const Theme& theme);

// Splits `size` by the settings' panel widths; narrow windows take from the panels before the canvas, and
// fold them to strips where that is not enough.
Layout make_layout(ImVec2 size, const Theme& theme, const Settings& settings);

// While a lesson is played its course has the place of the controls: as wide as they are, or a strip where
// the person has folded it or the window is narrow. Where the controls are needed, it is a strip before them.
struct CoursePlace {
  bool folded = false, with_controls = false;
};
Layout make_lesson_layout(ImVec2 size, const Theme& theme, Settings settings, CoursePlace course);

// Where a panel that is folded opens, next to its strip and over the canvas.
Rect opened_over(const Layout& layout, const Theme& theme, bool controls);

// Says so to the panels: one that is not folded any more is not open over the canvas either.
void fold_panels(View& view, const Layout& layout);

}  // namespace attn
