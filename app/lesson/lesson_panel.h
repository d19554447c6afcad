// A lesson's words, in place of the inspector while it is played; and the line above the canvas that says
// what it plays on.
#pragma once

#include <string>
#include <vector>

#include "app/frame/frame.h"

namespace attn {

// Text that is longer than the panel scrolls; back and next stay.
void draw_lesson(Frame& frame, Rect area);

// Returns the height that it takes from the canvas; 0 while none is played.
float draw_lesson_line(Frame& frame, Rect canvas);

// The keys of a lesson for the status line, the most important first; a selected cell has arrows and digits.
std::vector<std::string> lesson_keys(const Frame& frame);

}  // namespace attn
