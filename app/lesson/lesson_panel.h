// A lesson's words, in place of the inspector while it is played; and the line above the canvas that says
// what it plays on.
#pragma once

#include <string>
#include <vector>

#include "app/inspector/inspector_flow.h"
#include "app/lesson/lesson_view.h"

namespace attn {

// Text that is longer than the panel scrolls; back and next stay.
void draw_lesson(Frame& frame, Rect area);

void add_paragraph(inspector::Flow& flow, const LessonParagraph& paragraph, const LiveNumbers& live);

// Returns the height that it takes from the canvas; 0 while none is played.
float draw_lesson_line(Frame& frame, Rect canvas);

// "step 4 of 12 (1/2)", with the page, while the window presents.
std::string slide_place(const LessonView& view);

// The keys of a lesson for the status line, the most important first; a selected cell has arrows and digits.
std::vector<std::string> lesson_keys(const Frame& frame);

}  // namespace attn
