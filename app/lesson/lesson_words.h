// Text of a lesson: words that wrap, numbers of the live document among them in the colour of their mark or
// their stage.
#pragma once

#include "app/inspector/inspector_flow.h"
#include "app/lesson/lesson_view.h"

namespace attn {

struct LessonInk {
  ImFont* font;
  ImU32 words;
  float inset = 0;         // pixels, at the left
  ImFont* lead = nullptr;  // of the words up to the first colon; null: the same
};

// A number that is pointed at outlines its cells on the canvas, and a cell that is pointed at its numbers
// here. What cannot be computed is told with its reason.
void add_lesson_text(inspector::Flow& flow, const LessonText& text, const LiveNumbers& live, LessonInk ink);

// Words without numbers, in the same way.
void add_lesson_words(inspector::Flow& flow, const std::string& words, LessonInk ink);

// The same as a value, without ①, for where it stands in a box; the reason where it cannot be computed.
std::string plain_text(const LessonText& text, const LiveNumbers& live);

// Whether its condition holds; what cannot be computed is said, and says why.
bool is_said(const LessonParagraph& paragraph, const LiveNumbers& live);
// The first thing that a step says, as it is now.
std::string first_words(const LessonStep& step, const Results* results);

}  // namespace attn
