// What the workspace of training trains: the specs of run A and of the run beside it, made of the settings.
#pragma once

#include <optional>
#include <string>

#include "core/learning/training.h"
#include "core/training/part.h"

namespace attn {

// A run to be made: its spec, or why there is none.
struct PlannedRun {
  TrainingSpec spec = {};
  std::string refusal = {};  // in words that say what to change; empty: it can be trained
};
PlannedRun planned_run(const TrainingSettings& settings);

// Run B: A with one change. None where the settings ask for none, or A has that already.
std::optional<PlannedRun> planned_beside(const TrainingSettings& settings);
// Why A has nothing that this difference would take away: "A has one head already"; empty: it has.
std::string difference_refusal(const TrainingSettings& settings, RunDifference difference);

// What a run is called beside the other: "learned positions", "no positions".
std::string run_name(const TrainingSettings& settings, RunDifference difference);

// The settings that a task is begun with: what it is known to be learnt by, and the seed as it is.
TrainingSettings settings_for(const TrainingSettings& before, TrainingTaskKind task);

// Whether a run of the one can go on as the other: parameters and data are the same, and only how a step is
// made of them differs.
bool goes_on(const TrainingSpec& before, const TrainingSpec& after);

// Pairs that stand for the person's own until there are some: English plurals.
const Labels& example_pairs();

// About how many bytes a step works on: parameters, their moments and gradients, and what a batch is made
// into.
double bytes_of_training(const TrainingSpec& spec);

}  // namespace attn
