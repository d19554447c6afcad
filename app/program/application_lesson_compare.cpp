// A fault that was thrown beside the layer without it: Compare in front of the step, which comes back as it
// was.
#include <algorithm>

#include "app/frame/lit.h"
#include "app/program/application.h"
#include "app/program/input.h"

namespace attn {
namespace {

// The exercise of the step whose fault is known; none: there is none.
std::optional<std::size_t> known_fault(const LessonView& played) {
  const std::vector<LessonExercise>& all = played.now().exercises;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto answer = played.answers.find({played.step, i});
    const bool known = answer != played.answers.end() && answer->second.shown && answer->second.thrown;
    if (all[i].kind == LessonExercise::fault && known) return i;
  }
  return std::nullopt;
}

}  // namespace

bool Application::can_compare_fault() const {
  return lesson_ && works_.guest_in_front() && (lesson().comparing || known_fault(lesson())) &&
         taking(workspaces_, ImportKind::layer);
}

void Application::compare_fault() {
  if (!can_compare_fault()) return;
  LessonView& played = lesson();
  if (played.comparing) return end_comparing();
  LessonAnswer& answer = played.answer(*known_fault(played));
  // What is said of the fault is said of its numbers, not of those beside them.
  if (const auto& results = shown_.engine().results; results && results->document == document())
    answer.after = results;
  const Document broken = document();
  lesson_->leave(played.step, {broken, kept_look(view_)});
  Document both = answer.sound;
  const Workspace& compares = *taking(workspaces_, ImportKind::layer);
  compares.take(both, view_, {.other = broken});
  works_.seat_guest(std::move(both));
  show(compares);
  played.comparing = true;
  view_.pinned.reset(), view_.inspected.reset();
  light_step(view_);
  compute();
}

// What is said of the fault is about the present numbers again.
void Application::forget_compared() {
  LessonView& played = lesson();
  for (auto& [place, answer] : played.answers)
    if (place.first == played.step && answer.thrown) answer.after.reset();
}

void Application::end_comparing() {
  forget_compared();
  LessonView& played = lesson();
  put_lesson_step(played.step, lesson_->left(played.step, view_));
  lesson().fresh = 0;  // the text stays where it was
}

}  // namespace attn
