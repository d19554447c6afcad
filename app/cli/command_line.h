// The whole command line as a function.
#pragma once

#include "app/words/console.h"

namespace attn {

// Runs the words of argv and hands out what comes of them; never throws. On any error no file appears, and
// nothing is printed but what bench has measured until then.
int command_line(int argc, const char* const* argv, Console& console);

}  // namespace attn
