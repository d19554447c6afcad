// The status line: what is happening, and which keys work here.
#pragma once

#include "app/frame/frame.h"

namespace attn {

// Which step it is and a few keys; or what is wrong with the device, or the view's message.
void draw_status(Frame& frame, Rect area);

}  // namespace attn
