// A lesson to be printed: a page of HTML with pictures of its steps.
#pragma once

#include <string>

namespace attn {

// One file, with the pictures in it; with hints and answers behind each exercise, or room to write. In the
// language of that code, or of a PO file. Throws Error(Fault::output) where there is no OpenGL to draw by.
std::string handout_of(const std::string& lesson, bool answers, const std::string& language);

}  // namespace attn
