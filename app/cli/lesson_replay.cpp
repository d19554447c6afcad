// Steps entered one behind the other, each computed.
#include "app/cli/lesson_replay.h"

#include "app/program/lesson_state.h"
#include "core/evaluate/evaluator.h"
#include "core/reference/backend.h"
#include "core/system/budget.h"

namespace attn {

struct LessonReplay::State {
  const Lesson& lesson;
  std::span<const Workspace> workspaces;
  std::unique_ptr<Backend> backend = make_reference_backend();
  Budget budget{};
  Evaluator evaluator{*backend, budget};
  View view = {};
  Document document = {};
  std::size_t steps = 0;
  Results now = {}, after = {};

  Results compute(const Document& of) { return evaluator.evaluate(of, view.workspace->build(of, kLayerA)); }
};

LessonReplay::LessonReplay(const Lesson& lesson, std::span<const Workspace> workspaces)
    : state_(new State{lesson, workspaces}) {
  state_->view.workspace = &workspaces.front();
}
LessonReplay::~LessonReplay() = default;

bool LessonReplay::next() {
  State& s = *state_;
  if (s.steps == s.lesson.steps.size()) return false;
  const LessonStep& step = s.lesson.steps[s.steps++];
  enter_step(step, s.document, s.view, s.workspaces);
  s.now = s.compute(s.document);
  return true;
}

const LessonStep& LessonReplay::step() const {
  return state_->lesson.steps[state_->steps - 1];
}
LiveNumbers LessonReplay::live() const {
  return {.now = &state_->now};
}
const Document& LessonReplay::document() const {
  return state_->document;
}

LiveNumbers LessonReplay::of(Document document) {
  state_->after = state_->compute(document);
  return {.now = &state_->after, .before = &state_->now};
}

LiveNumbers LessonReplay::after(std::span<const LessonSet> sets) {
  Document changed = state_->document;
  apply_sets(sets, changed, state_->view, live());
  return of(std::move(changed));
}

void LessonReplay::put(Document document) {
  state_->document = std::move(document);
  state_->now = state_->compute(state_->document);
}

}  // namespace attn
