// The runs on screen: A, what is trained beside it, a branch, and those that were reset. Private to
// app/workspaces/training.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/frame/frame.h"
#include "app/workspaces/training/bench.h"
#include "app/workspaces/training/view.h"
#include "core/training/spec.h"

namespace attn {

struct TrainedRun {
  char letter = 'A';
  std::string name = {};  // what it has otherwise: "learned positions"
  std::shared_ptr<const TrainingSpec> spec = {};
  std::shared_ptr<TrainingRunner> runner = {};
  RunView seen = {};                      // what the window has read of the runner
  TrainingLog past = {};                  // up to where the runner begins; without snapshots: at step 0
  TrainingLog log = {};                   // all of it
  std::size_t begins = 0;                 // of a branch
  std::optional<std::size_t> asked = {};  // the step that was asked for last, to be made again

  std::size_t end() const { return log.end_step(); }
};

struct TrainingRuns {
  std::shared_ptr<TrainingBench> bench = std::make_shared<TrainingBench>();
  std::uint64_t turn = 0;  // of the study: a new one begins where there is work again
  std::optional<TrainedRun> a = {}, b = {}, c = {};
  std::vector<TrainedRun> earlier = {};  // that were reset, the newest last
  std::string error = {};                // why the bench stands still
  // Nothing is trained by itself before there is a device: on the reference a step takes long.
  bool waits = true;

  // What the settings ask for, once they were followed.
  bool followed = false;
  TrainingSettings settings = {};
  PlannedRun planned = {};
  std::optional<PlannedRun> beside = {};

  // The settings ask for other steps than those that A has taken: a rate, a batch.
  bool differs() const { return a && !(*a->spec == planned.spec); }
  std::vector<TrainedRun*> shown();  // A, B, C, as far as there are
  // The run whose maps are seen.
  TrainedRun* seen(const TrainingView& view);
};

// At step 0.
TrainedRun new_run(char letter, const TrainingSpec& spec, const TrainingSettings& settings);
// Reads how far it is.
void read_run(TrainedRun& run);
// Goes on from a snapshot of its log, or from its last, with other steps.
void go_on_from(TrainedRun& run, std::shared_ptr<const TrainingSnapshot> from, const TrainingSpec& spec,
                const TrainingSettings& settings);
void go_on_as(TrainedRun& run, const TrainingSpec& spec, const TrainingSettings& settings);

// In each frame: makes the runs that the settings ask for, hands them to the worker and reads how far they
// are.
void follow_runs(Frame& frame);

// Everything from step 0 again, paused; what there was stays as faint curves.
void reset_runs(View& view);
// A run that goes on from that step of A with the settings of now, in place of an earlier branch.
void branch_off(View& view, const TrainingSettings& settings, std::size_t step);

// Moves the step that everything shows, and stops playing.
void show_step(View& view, std::size_t step);
// The step that is shown of a run: as far as it has come.
std::size_t shown_step(const TrainingView& view, const TrainedRun& run);

}  // namespace attn
