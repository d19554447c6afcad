// Bars: one number as a length, in a row of its own.
#pragma once

#include "app/frame/frame.h"

namespace attn {

// A bar from the zero line of `area` to `fraction` of its width, −1 … 1. `zero` is where the zero line lies:
// 0 at the left edge, 0.5 in the middle. What is too short to see keeps a hairline; NaN draws nothing.
void draw_bar(ImDrawList& list, const Rect& area, double fraction, float zero, ImU32 colour,
              const Theme& theme);

// A bar for a summand: negative to the left, positive to the right, in the colours of the diverging map. The
// whole width is the span from `least` ≤ 0 to `most` ≥ 0.
void draw_signed_bar(ImDrawList& list, const Rect& area, double value, double least, double most,
                     const Theme& theme);

}  // namespace attn
