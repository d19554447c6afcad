// A run of training in pieces: what is done next, and what the window is told of it.
#include "core/learning/runner.h"

#include <algorithm>

#include "core/learning/runner_work.h"
#include "core/system/error.h"

namespace attn {
namespace {

constexpr std::size_t kSnapshots = 30;    // of a whole run
constexpr std::size_t kScoredRows = 256;  // of a snapshot

TrainingSpec trainable(TrainingSpec spec) {
  if (const std::string why = training_refusal(spec); !why.empty()) throw Error(why, Fault::option);
  return spec;
}

// Moments as the spec's optimiser has them: those that are missing begin at 0.
TrainingState fitted(TrainingState state, const TrainingSpec& spec) {
  if (spec.optimizer.kind == OptimizerKind::sgd)
    state.moments.clear();
  else if (state.moments.empty())
    for (const Tensor& parameter : state.parameters) {
      const Shape shape{2, parameter.rows(), parameter.columns()};
      state.moments.emplace_back(shape, std::vector<float>(shape.size()));
    }
  return state;
}

}  // namespace

std::size_t snapshot_spacing(std::size_t steps) {
  return std::max<std::size_t>(1, (steps + kSnapshots - 1) / kSnapshots);
}

std::size_t scored_rows(const TrainingSpec& spec) {
  return (kScoredRows + spec.batch - 1) / spec.batch * spec.batch;
}

TrainingRunner::Work::Work(TrainingSpec of, RunOrder ordered, std::shared_ptr<const TrainingSnapshot> from)
    : order(ordered), spec(std::move(of)) {
  every = order.snapshot_every ? order.snapshot_every : snapshot_spacing(order.steps);
  if (order.held_out_batches == 0) order.held_out_batches = scored_rows(spec) / spec.batch;
  shown.version = 1, shown.log.spec = spec;
  if (!from) return;
  TrainingSnapshot begin = *from;
  begin.state = fitted(std::move(begin.state), spec);
  shown.log.first_step = begin.state.step;
  shown.log.snapshots.push_back(std::make_shared<const TrainingSnapshot>(std::move(begin)));
}

TrainingRunner::TrainingRunner(TrainingSpec spec, RunOrder order,
                               std::shared_ptr<const TrainingSnapshot> from)
    : work_(std::make_unique<Work>(trainable(std::move(spec)), order, std::move(from))) {}

TrainingRunner::~TrainingRunner() = default;

bool TrainingRunner::work(Backend& backend) {
  if (!has_work()) return false;
  try {
    return work_->piece(mutex_, backend);
  } catch (const Error& error) {
    if (error.fault() != Fault::device) throw;
    work_->lose(mutex_, error.what());
    return false;
  }
}

void TrainingRunner::let_go() {
  work_->drop();
  const std::lock_guard lock(mutex_);
  if (!work_->shown.stop) work_->take_back_losses();
}

bool TrainingRunner::update(RunView& seen) const {
  const std::lock_guard lock(mutex_);
  const RunView& now = work_->shown;
  if (seen.version == now.version) return false;
  const bool longer = seen.version > 0 && seen.cut == now.cut;
  if (!longer) seen.log.losses.clear(), seen.log.spec = now.log.spec;
  const auto known = static_cast<std::ptrdiff_t>(seen.log.losses.size());
  seen.log.losses.insert(seen.log.losses.end(), now.log.losses.begin() + known, now.log.losses.end());
  seen.log.first_step = now.log.first_step, seen.log.snapshots = now.log.snapshots;
  seen.stop = now.stop, seen.visited = now.visited, seen.step_seconds = now.step_seconds;
  seen.version = now.version, seen.cut = now.cut;
  return true;
}

bool TrainingRunner::has_work() const {
  const std::lock_guard lock(mutex_);
  const RunView& shown = work_->shown;
  if (shown.stop && shown.stop->why == RunStop::device) return false;
  if (work_->wanted || shown.log.snapshots.empty()) return true;
  if (shown.stop) return false;
  return shown.log.end_step() < work_->order.steps ||
         shown.log.snapshots.back()->state.step < std::min(shown.log.end_step(), work_->order.steps);
}

std::size_t TrainingRunner::step() const {
  const std::lock_guard lock(mutex_);
  return work_->shown.log.end_step();
}

void TrainingRunner::order_steps(std::size_t steps) {
  const std::lock_guard lock(mutex_);
  work_->order.steps = steps;
}

void TrainingRunner::visit(std::size_t step) {
  const std::lock_guard lock(mutex_);
  work_->wanted = step;
}

void TrainingRunner::go_on() {
  const std::lock_guard lock(mutex_);
  RunView& shown = work_->shown;
  if (!shown.stop || shown.stop->why != RunStop::device) return;
  shown.stop.reset(), ++shown.version;
}

TrainingSpec half_rate(TrainingSpec spec) {
  spec.optimizer.rate /= 2;
  return spec;
}

}  // namespace attn
