// A lesson to be printed: a page of HTML with pictures of its steps.
#pragma once

#include <string>

#include "core/lesson/lesson.h"

namespace attn {

// One file, with the pictures in it; with hints and answers behind each exercise, or room to write. Throws
// Error(Fault::output) where there is no OpenGL to draw by.
std::string handout_of(const Lesson& lesson, bool answers);

}  // namespace attn
