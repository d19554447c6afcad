// A lesson's steps as lines of words, with their numbers as they are computed: for the terminal, screen
// readers and handouts.
#pragma once

#include <string>
#include <vector>

#include "app/cli/lesson_replay.h"
#include "app/language/languages.h"

namespace attn {

struct ScriptLine {
  enum Kind {
    said,      // a paragraph
    why,       // the reason
    attempt,   // what to try
    question,  // of an exercise, which begins here
    choice,    // one of its answers, or of the mistakes that it can be
    row,       // a printed row beside the computed one
    hint,
    answer,
  } kind = said;
  std::string lead = {};  // "Predict", "Hint", "1"; may be empty
  std::string text = {};
};

// Of the step that the replay has come to; what the lesson itself does not say is in that language (null:
// English). Throws Error where a number cannot be computed.
std::vector<ScriptLine> script_of(LessonReplay& replay, bool answers, const Language* language = nullptr);

}  // namespace attn
