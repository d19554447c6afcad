// Every text of a lesson that a person reads: for those who put others in their place.
#pragma once

#include <functional>
#include <string>

#include "core/lesson/lesson.h"

namespace attn {

// Puts what `other` makes of a text in its place: titles, the goal, the chapter, what is said and asked,
// answers and hints, each as it is written in the file, with the places of its numbers
// ("{sum(weights[0,0]):4}") and without the key before it. Throws Error, with the line of the exercise or
// step, where the new text cannot be read.
void change_words(Lesson& lesson, const std::function<std::string(const std::string&)>& other);

}  // namespace attn
