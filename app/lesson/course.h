// The course: lessons with what is done of them, in place of the controls while a lesson is played.
#pragma once

#include "app/frame/frame.h"

namespace attn {

// The lesson that is open lists its steps; a click jumps there, one on another lesson unfolds it.
void draw_course(Frame& frame, Rect area);

// The same folded: a ring for each lesson, a dot for each step of the one that is played, with their names
// under the pointer. `opens`: with a chevron that unfolds it.
void draw_course_strip(Frame& frame, Rect area, bool opens);

// Of a lesson: a tick where all is seen, else as full as it is seen.
void draw_ring(ImDrawList& list, const Theme& theme, ImVec2 centre, std::size_t seen, std::size_t all);

}  // namespace attn
