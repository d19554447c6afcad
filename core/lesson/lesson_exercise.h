// The exercises of a lesson's file: their headings, keys and answers, and what each kind needs. For
// core/lesson alone.
#pragma once

#include "core/lesson/lesson_text.h"

namespace attn {

// "predict", "recall", "do", "break", "book".
LessonExercise begun_exercise(std::string_view heading, std::size_t line);
// A line "- …" of it, and a line "key: value".
void add_choice(LessonExercise& to, std::string_view text, std::size_t line);
void take_exercise_key(LessonExercise& to, const KeyLine& key, std::size_t line);
// Of an exercise that ends: whether it has what its kind needs.
void check_exercise(const LessonExercise& one);

}  // namespace attn
