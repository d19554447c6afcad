// The losses that gradients are asked of: one number, made of an output.
#pragma once

#include <vector>

#include "core/graph/graph.h"

namespace attn {

enum class LossKind {
  ones,           // Σ O
  one_hot,        // one number of O
  typed,          // Σ G ⊙ O, G given
  mean_square,    // Σ (O − T)² ÷ numbers asked; where T is NaN nothing is asked
  cross_entropy,  // of each row with its label ≥ 0, the mean
};

struct Loss {
  LossKind kind = LossKind::ones;
  std::size_t row = 0, column = 0;  // of one_hot
  Tensor given = {};                // G or T, of the output's shape
  std::vector<long> labels = {};    // a column for each row of the output; below 0: not asked
};

// Appends the loss of an output, 1×n×d, and what it is made of: `upstream` (dO), `target` or `labels`, and
// `loss`, 1×1×1, of the output's part. Throws Error, saying what would do, where the loss does not fit it.
StageIndex append_loss(Graph& graph, StageIndex output, const Loss& loss);

}  // namespace attn
