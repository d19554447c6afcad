// The course: lessons with what is done of them, in place of the controls while a lesson is played.
#pragma once

#include "app/frame/frame.h"

namespace attn {

// The lesson that is open lists its steps; a click jumps there, one on another lesson unfolds it.
void draw_course(Frame& frame, Rect area);

}  // namespace attn
