// What is being computed or written, when it takes long, with a way to stop it.
#pragma once

#include "app/frame/frame.h"

namespace attn {

// Above the lower edge of the canvas, while something takes long: the results, or the rest of them.
void draw_progress(Frame& frame, Rect canvas);
// Above that, while files are written behind the window.
void draw_saving(Frame& frame, Rect canvas);

}  // namespace attn
