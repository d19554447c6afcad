// The whole command line as a function.
#pragma once

#include "app/cli/console.h"

namespace attn {

// The program's exit statuses: a contract with scripts, listed in --help and the README.
enum ExitStatus {
  kDone = 0,
  kOutOfOrder = 1,  // out of memory, or a bug of ours
  kDifferent = 1,   // compare: what was compared differs, as with diff
  kBadWords = 2,    // unknown words, or options that do not fit the input
  kNoDevice = 3,    // the device asked for is missing, failed its self-test or failed at work
  kBadInput = 4,    // a file that cannot be read or makes no sense
  kNotWritten = 5,  // the output could not be written
};

// Runs the words of argv and hands out what comes of them; never throws. On any error no file appears, and
// nothing is printed but what bench has measured until then.
int command_line(int argc, const char* const* argv, Console& console);

}  // namespace attn
