// What is being computed, when it takes long, with a way to stop it.
#pragma once

#include "app/frame.h"

namespace attn {

inline constexpr double kPatience = 0.25;  // seconds before results that lag behind the document are dimmed

// Above the lower edge of the canvas.
void draw_progress(Frame& frame, Rect canvas);

}  // namespace attn
