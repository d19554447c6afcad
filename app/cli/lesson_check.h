// Whether a lesson holds: every step replayed on the reference, every number of its text computed, every
// exercise tried.
#pragma once

#include <string>
#include <vector>

#include "app/frame/workspace.h"
#include "core/lesson/lesson.h"

namespace attn {

// Words that half of a lesson's steps have at most.
inline constexpr std::size_t kMedianWords = 60;

struct LessonVerdict {
  std::size_t exercises = 0;
  std::vector<std::string> faults = {};  // "line 12: …"
};
// Steps that can be entered, cells that are there, numbers that can be computed; one answer of each
// prediction that holds; goals that are not reached at first, are by what is accepted and are not by what is
// refused; faults that the layer can have and that show; printed rows that are wrong; a prediction and
// something to do; at most kMedianWords.
LessonVerdict check_lesson(const Lesson& lesson, std::span<const Workspace> workspaces);

}  // namespace attn
