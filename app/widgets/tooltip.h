// Words under the pointer, and where what belongs to a thing stands near it.
#pragma once

#include <string>

#include "app/frame/frame.h"

namespace attn {

// In lines, whole in the window. Of several in one frame the last is shown.
void show_tooltip(const std::string& words);

// The corner of a box of that size below a thing, above it where there is room there alone, whole in the
// window and away from its edges as far as it has room.
ImVec2 place_near(Rect thing, ImVec2 size);
// Whether a box of that height stands above: where below there is no room in a window of so many pixels, and
// above there is.
bool stands_above(Rect thing, float height, float window);

}  // namespace attn
