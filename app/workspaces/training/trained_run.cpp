// One run: begun, read, and gone on with from a snapshot.
#include <algorithm>

#include "app/workspaces/training/runs.h"

namespace attn {
namespace {

constexpr std::size_t kMostRunBytes = std::size_t{128} << 20;

RunOrder order_of(const TrainingSettings& settings) {
  return {.steps = 0, .snapshot_every = snapshot_spacing(settings.steps), .most_bytes = kMostRunBytes};
}

// What a run took up to a snapshot.
TrainingLog cut_log(const TrainingLog& log, std::size_t step) {
  TrainingLog cut{.spec = log.spec, .first_step = log.first_step, .losses = {}, .snapshots = {}};
  const std::size_t count = std::min(log.losses.size(), step - std::min(step, log.first_step));
  cut.losses.assign(log.losses.begin(), log.losses.begin() + static_cast<std::ptrdiff_t>(count));
  for (const auto& snapshot : log.snapshots)
    if (snapshot->state.step <= step) cut.snapshots.push_back(snapshot);
  return cut;
}

}  // namespace

TrainedRun new_run(char letter, const TrainingSpec& spec, const TrainingSettings& settings) {
  TrainedRun run{.letter = letter, .spec = std::make_shared<const TrainingSpec>(spec)};
  run.runner = std::make_shared<TrainingRunner>(spec, order_of(settings));
  read_run(run);
  return run;
}

void read_run(TrainedRun& run) {
  if (!run.runner->update(run.seen)) return;
  if (run.past.snapshots.empty()) {
    run.log = run.seen.log;
    return;
  }
  run.log = run.past, run.log.spec = run.seen.log.spec;
  run.log.losses.insert(run.log.losses.end(), run.seen.log.losses.begin(), run.seen.log.losses.end());
  for (const auto& snapshot : run.seen.log.snapshots)
    if (snapshot->state.step > run.past.snapshots.back()->state.step) run.log.snapshots.push_back(snapshot);
}

void go_on_from(TrainedRun& run, std::shared_ptr<const TrainingSnapshot> from, const TrainingSpec& spec,
                const TrainingSettings& settings) {
  run.past = cut_log(run.log, from->state.step);
  run.runner = std::make_shared<TrainingRunner>(spec, order_of(settings), std::move(from));
  run.spec = std::make_shared<const TrainingSpec>(spec);
  run.seen = {}, run.asked.reset();
  read_run(run);
}

void go_on_as(TrainedRun& run, const TrainingSpec& spec, const TrainingSettings& settings) {
  read_run(run);
  if (run.log.snapshots.empty())
    run = new_run(run.letter, spec, settings);
  else
    go_on_from(run, run.log.snapshots.back(), spec, settings);
}

}  // namespace attn
