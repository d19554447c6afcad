// The status line: what is happening, and which keys work here.
#pragma once

#include "app/frame/frame.h"

namespace attn {

// The formula with the current step's part lit, the step in words, the keys; or the view's message.
void draw_status(Frame& frame, Rect area);

}  // namespace attn
