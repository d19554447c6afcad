// The formula of the layers above their canvas: what is computed now is lit, a click goes there.
#pragma once

#include "app/frame/frame.h"

namespace attn {

// Along the top of `canvas`, with the chip that ends stepping at its right. Returns the height that it takes;
// 0 where nothing has steps.
float draw_formula_line(Frame& frame, Rect canvas);

}  // namespace attn
