// The writer of lessons: the file of one that is put together, by a person who records it or by a test.
#pragma once

#include "core/lesson/lesson.h"

namespace attn {

// What parse_lesson makes the same lesson of, but for the numbers of its lines.
std::string write_lesson(const Lesson& lesson);
// "They add up to {sum(weights[0,0]):4}.", as read_text reads it.
std::string written(const LessonText& text);
// "scaled[0,:,1]", as read_cells reads it.
std::string written(const LessonCells& cells);
// The keys of a step, each a line.
std::string written_keys(const LessonStep& step);

// The text of a step and its exercises, as they stand in a file below the step's keys; marks may come first.
// The step's other keys are empty. Throws Error with the line of the text and the reason.
LessonStep read_step_words(const std::string& title, const std::string& words);

}  // namespace attn
