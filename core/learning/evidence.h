// Why a model without positions cannot learn a task, in numbers; and when a run reached what.
#pragma once

#include "core/learning/moment.h"
#include "core/learning/run_log.h"

namespace attn {

// What permuting an input does to what is said: without positions it permutes an encoder's output, and leaves
// a decoder's as it is. `off`: the largest difference of logits from just that; `largest`: of all logits.
struct PermutationEvidence {
  double off = 0, largest = 0;
  std::optional<TrainingBound> bound;  // that no model without positions can be better than
};
// `rows` permuted places of the first held-out rows. None of causal models: a causal mask tells the order.
std::optional<PermutationEvidence> permutation_evidence(Backend& backend, const TrainingSpec& spec,
                                                        const std::vector<Tensor>& parameters,
                                                        std::size_t rows = 4);

// The first snapshot at which…
struct Milestones {
  std::optional<std::size_t> below_bound;       // the loss is below what is possible without positions
  std::optional<std::size_t> half, nearly_all;  // half of the symbols are right, 99 %
};
Milestones milestones_of(const TrainingLog& log);

}  // namespace attn
