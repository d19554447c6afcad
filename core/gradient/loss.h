// The losses that gradients are asked of: one number, made of an output.
#pragma once

#include <vector>

#include "core/gradient/loss_kind.h"
#include "core/graph/graph.h"

namespace attn {

struct Loss {
  LossKind kind = LossKind::ones;
  std::size_t row = 0, column = 0;  // of one_hot
  Tensor given = {};                // G or T, of the output's shape
  std::vector<long> labels = {};    // a column for each row of the output; below 0: not asked
};

// Appends the loss of an output, 1×n×d, and what it is made of: `upstream` (dO), `target` or `labels`, and
// `loss`, 1×1×1, of the output's part. What graph.overrides type over labels becomes the nearest column.
// Throws Error, saying what would do, where the loss does not fit the output.
StageIndex append_loss(Graph& graph, StageIndex output, const Loss& loss);

// What such a loss is made of besides the output, without it: dO, the target or the labels, of a loss that is
// given some. So what is typed over them stays while another loss is chosen.
StageIndex append_asked(Graph& graph, StageIndex output, const Loss& loss);

}  // namespace attn
