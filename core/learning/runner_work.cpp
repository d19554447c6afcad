// The working side of a run: steps, snapshots and visits, a piece of about 5 ms at a time.
#include "core/learning/runner_work.h"

#include <algorithm>
#include <cmath>

namespace attn {

void TrainingRunner::Work::drop() {
  trainer.reset(), left.reset(), norms.reset(), scored.reset(), away.reset(), search.reset();
}

void TrainingRunner::Work::take_back_losses() {
  TrainingLog& log = shown.log;
  const std::size_t kept = log.snapshots.empty() ? 0 : log.snapshots.back()->state.step - log.first_step;
  if (log.losses.size() <= kept) return;
  log.losses.resize(kept);
  ++shown.version, ++shown.cut;
}

bool TrainingRunner::Work::piece(std::mutex& mutex, Backend& with) {
  std::optional<std::size_t> visit;
  std::size_t end = 0;
  bool first = false, stopped = false;
  {
    const std::lock_guard lock(mutex);
    visit = wanted, end = order.steps;
    first = shown.log.snapshots.empty(), stopped = shown.stop.has_value();
  }
  if (!trainer || backend != &with) {
    begin(mutex, with);
  } else if (search) {
    look_for_fault(mutex);
  } else if (scored) {
    score_snapshot(mutex);
  } else if (first) {
    begin_snapshot();
  } else if (visit && !(away && away->asked == *visit)) {
    begin_visit(mutex, *visit);
  } else if (away) {
    go_on_visit(mutex);
  } else if (!stopped) {
    if (left) trainer->go_on(*left), left.reset();
    trainer->step() < end ? take_steps(mutex, end) : begin_snapshot();
  }
  return true;
}

void TrainingRunner::Work::begin(std::mutex& mutex, Backend& with) {
  drop();
  backend = &with;
  trainer = std::make_unique<Trainer>(with, spec);
  const std::lock_guard lock(mutex);
  if (!shown.stop) take_back_losses();
  if (shown.log.snapshots.empty()) return;
  trainer->go_on(shown.log.snapshots.back()->state);
  norms = shown.log.snapshots.back()->norms;
}

void TrainingRunner::Work::take_steps(std::mutex& mutex, std::size_t end) {
  const std::size_t step = trainer->step(), next = std::min(end, (step / every + 1) * every);
  norms.reset();
  const std::size_t taken = trainer->run_piece(next - step);
  const auto losses = trainer->losses().end() - static_cast<std::ptrdiff_t>(taken);
  const auto bad =
      std::find_if(losses, trainer->losses().end(), [](double loss) { return !std::isfinite(loss); });
  {
    const std::lock_guard lock(mutex);
    for (auto loss = losses; loss != bad; ++loss) shown.log.losses.push_back(static_cast<float>(*loss));
    shown.step_seconds = trainer->step_seconds(), ++shown.version;
  }
  if (bad != trainer->losses().end())
    search.emplace(FaultSearch{.step = step + static_cast<std::size_t>(bad - losses)});
  else if (trainer->step() == next)
    begin_snapshot();
}

GroupNorms TrainingRunner::Work::last_norms() {
  return gradient_norms(spec.model, trainer->parameters(), trainer->gradients());
}

void TrainingRunner::Work::begin_snapshot() {
  TrainingState state = trainer->state();
  if (!all_finite(state)) {
    search.emplace(FaultSearch{.step = state.step});
    return;
  }
  if (state.step == 0) trainer->run(1);  // for its gradients
  const GroupNorms lengths = norms ? *norms : last_norms();
  if (state.step == 0) trainer->go_on(state);
  scored = ScoredSnapshot{.snapshot = {.state = std::move(state), .score = {}, .norms = lengths}};
}

bool TrainingRunner::Work::score_some(ScoredSnapshot& of) {
  const std::size_t all = order.held_out_batches;
  const PieceOfTime time;
  do {
    const TrainingScore one = trainer->score_batch(of.batches++);
    of.snapshot.score.loss += one.loss / static_cast<double>(all);
    of.snapshot.score.accuracy += one.accuracy / static_cast<double>(all);
  } while (of.batches < all && !time.over());
  return of.batches == all;
}

void TrainingRunner::Work::score_snapshot(std::mutex& mutex) {
  if (!score_some(*scored)) return;
  auto made = std::make_shared<const TrainingSnapshot>(std::move(scored->snapshot));
  scored.reset();
  const std::lock_guard lock(mutex);
  if (shown.log.add(std::move(made), order.most_bytes)) every *= 2;
  ++shown.version;
}

bool TrainingRunner::Work::move_to(std::size_t step) {
  if (trainer->step() < step) trainer->run_piece(step - trainer->step());
  return trainer->step() == step;
}

void TrainingRunner::Work::look_for_fault(std::mutex& mutex) {
  if (search->in) {
    if (search->in->piece()) stop_at_fault(mutex);
    return;
  }
  const std::lock_guard lock(mutex);
  if (!shown.log.snapshots.empty()) trainer->go_on(shown.log.snapshots.back()->state);
  search->in.emplace(*trainer, *backend, search->step);
}

void TrainingRunner::Work::stop_at_fault(std::mutex& mutex) {
  const NotFinite found = search->in->found();
  search.reset(), left.reset();
  const std::lock_guard lock(mutex);
  shown.stop =
      RunStop{.why = RunStop::not_finite, .step = found.step, .stage = found.stage, .words = found.words};
  if (!shown.log.snapshots.empty()) trainer->go_on(shown.log.snapshots.back()->state);
  ++shown.version;
}

void TrainingRunner::Work::lose(std::mutex& mutex, const std::string& why) {
  drop();
  const std::lock_guard lock(mutex);
  take_back_losses();
  wanted.reset();
  const std::size_t step = shown.log.end_step();
  shown.stop = RunStop{.why = RunStop::device,
                       .step = step,
                       .words = why + "; everything up to step " + std::to_string(step) +
                                " is kept: go on, here or on another device"};
  ++shown.version;
}

}  // namespace attn
