// A lesson's step while the window presents: its words in large letters above what is lit; what has no room
// there in letters as large as there is, or on a page of its own.
#pragma once

#include "app/frame/frame.h"

namespace attn {

// Returns the height that it takes from the canvas, which may be all.
float draw_lesson_slide(Frame& frame, Rect area);

}  // namespace attn
