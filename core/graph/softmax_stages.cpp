// Following a softmax back from its weights.
#include "core/graph/softmax_stages.h"

#include "core/graph/rounding.h"

namespace attn {

std::optional<SoftmaxStages> softmax_at(const Graph& graph, StageIndex weights) {
  const Stage& division = graph.stages[computing(graph, weights)];
  if (division.traits.step != SoftmaxStep::division) return std::nullopt;
  const Stage& exponential = graph.stages[computing(graph, division.inputs[0])];
  const Traits& shares = exponential.traits;
  if (shares.step != SoftmaxStep::exponential || exponential.inputs.size() != 2) return std::nullopt;
  // Another sum, and the rows need not add up to 1.
  const StageIndex sum = computing(graph, division.inputs[1]);
  if (graph.stages[sum].traits.step != SoftmaxStep::sum) return std::nullopt;
  return SoftmaxStages{.weights = weights,
                       .sum = division.inputs[1],
                       .exponentials = division.inputs[0],
                       .maximum = exponential.inputs[1],
                       .input = exponential.inputs[0],
                       .mask = graph.stages[weights].mask,
                       .empty_row = shares.empty_row};
}

}  // namespace attn
