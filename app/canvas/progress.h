// What is being computed, when it takes long, with a way to stop it.
#pragma once

#include "app/frame/frame.h"

namespace attn {

// Above the lower edge of the canvas, while something takes long: the results, or the rest of them.
void draw_progress(Frame& frame, Rect canvas);

}  // namespace attn
