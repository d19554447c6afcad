// What a run of training leaves behind: its losses, and snapshots within a budget of bytes.
#pragma once

#include <memory>

#include "core/learning/groups.h"

namespace attn {

// The run as it was behind a step.
struct TrainingSnapshot {
  TrainingState state;
  TrainingScore score;    // of held-out rows
  GroupNorms norms = {};  // of the last step's gradients; of step 0: of the first one's
  std::size_t bytes() const;
};

// A step with all that it was made of: state `before`, its batch and gradients, and the state behind it.
struct StepTaken {
  TrainingState before, after;
  std::vector<Tensor> gradients;  // by parameter
  TrainingBatch batch;
};

struct TrainingLog {
  TrainingSpec spec;
  std::size_t first_step = 0;  // that losses begin with: of a branch the step that it begins at
  std::vector<float> losses;   // of each step's batch
  std::vector<std::shared_ptr<const TrainingSnapshot>> snapshots;  // by step, ascending

  std::size_t end_step() const { return first_step + losses.size(); }  // steps taken
  std::size_t bytes() const;
  // The last snapshot that is not behind `step`; the first where all are. There is one.
  const TrainingSnapshot& nearest(std::size_t step) const;
  // Appends it; where all are more than `most_bytes` then, every second one goes, but never the first and
  // the last. Whether some went.
  bool add(std::shared_ptr<const TrainingSnapshot> snapshot, std::size_t most_bytes);
};

}  // namespace attn
