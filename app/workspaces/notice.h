// Why the newest document could not be computed, on top of the canvas, with a way out.
#pragma once

#include "app/frame.h"

namespace attn {

// Returns the height that it takes from the canvas: 0 when there is nothing to say.
float draw_notice(Frame& frame, Rect canvas);

}  // namespace attn
