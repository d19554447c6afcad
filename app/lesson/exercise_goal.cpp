// A goal: any state of the document that satisfies it counts; hints lead there, the last one goes there.
#include "app/lesson/exercises.h"
#include "app/theme/toolkit.h"

namespace attn {

void draw_goal(ExercisePart& part) {
  const Theme& theme = part.theme();
  const auto reached = verdict(part.exercise, part.answer, part.live.now, part.flow.frame.draft);
  if (reached == true) part.answer.shown = true;
  const bool now = reached.value_or(false);
  inspector::add_text(part.flow,
                      now                 ? "✓ reached: it holds now"
                      : part.answer.shown ? "✓ reached; it no longer holds"
                                          : "not yet: change what is lit, and this follows",
                      part.answer.shown ? theme.good : theme.dim, theme.fonts.small);
  const std::size_t hints = part.exercise.hints.size(), all = hints + (part.exercise.accept.empty() ? 0 : 1);
  draw_hints(part, all, part.answer.hints < hints ? "H  a hint" : "H  show a solution");
}

}  // namespace attn
