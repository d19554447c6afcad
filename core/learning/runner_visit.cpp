// A visit: any step of a run made again, from the nearest snapshot on.
#include <algorithm>

#include "core/learning/runner_work.h"

namespace attn {

void TrainingRunner::Work::begin_visit(std::mutex& mutex, std::size_t step) {
  if (!left && !away) {
    left = trainer->state();
    if (!norms && left->step > 0) norms = last_norms();
  }
  TrainingState from;
  {
    const std::lock_guard lock(mutex);
    const TrainingLog& log = shown.log;
    const std::size_t last_snapshot = log.snapshots.back()->state.step;
    // Behind the last step before a fault nothing is worth a look.
    const std::size_t last =
        shown.stop ? std::max(last_snapshot, log.end_step() - std::min<std::size_t>(1, log.losses.size()))
                   : std::max(last_snapshot, log.end_step());
    const std::size_t at = std::clamp(step, log.first_step, last);
    away = RunAway{.asked = step, .at = at, .end = std::max(at, log.first_step + 1)};
    from = log.nearest(away->end - 1).state;
  }
  trainer->go_on(from);
}

void TrainingRunner::Work::go_on_visit(std::mutex& mutex) {
  if (!away->taken) {
    if (move_to(away->end - 1)) take_visited_step(mutex);
  } else if (score_some(*away->scored)) {
    publish_visit(mutex);
  }
}

void TrainingRunner::Work::take_visited_step(std::mutex& mutex) {
  away->taken = std::make_shared<StepTaken>();
  StepTaken& taken = *away->taken;
  taken.before = trainer->state();
  trainer->run(1);
  taken.after = trainer->state(), taken.gradients = trainer->gradients(), taken.batch = trainer->batch();
  away->scored = ScoredSnapshot{};
  TrainingSnapshot& snapshot = away->scored->snapshot;
  const bool first = away->at < away->end;
  snapshot.norms = gradient_norms(spec.model, trainer->parameters(), taken.gradients);
  snapshot.state = first ? taken.before : taken.after;
  if (first) trainer->go_on(taken.before);
  bool known = false;
  {
    const std::lock_guard lock(mutex);
    const TrainingSnapshot& nearest = shown.log.nearest(away->at);
    known = nearest.state.step == away->at;
    if (known) snapshot.score = nearest.score;
  }
  if (known) publish_visit(mutex);
}

void TrainingRunner::Work::publish_visit(std::mutex& mutex) {
  auto visit = std::make_shared<const TrainingVisit>(TrainingVisit{
      .step = away->at, .at = std::move(away->scored->snapshot), .taken = std::move(away->taken)});
  const std::lock_guard lock(mutex);
  shown.visited = std::move(visit);
  if (wanted == away->asked) wanted.reset();
  away.reset();
  ++shown.version;
}

}  // namespace attn
