// Following a softmax back from its weights.
#include "core/softmax_stages.h"

#include "core/rounding.h"

namespace attn {

std::optional<SoftmaxStages> softmax_at(const Graph& graph, StageIndex weights) {
  const Stage& division = graph.stages[computing(graph, weights)];
  if (!std::holds_alternative<Normalize>(division.operation)) return std::nullopt;
  const Stage& exponential = graph.stages[computing(graph, division.inputs[0])];
  const auto* op = std::get_if<Exponential>(&exponential.operation);
  if (!op || exponential.inputs.size() != 2) return std::nullopt;
  // Another sum, and the rows need not add up to 1.
  const Stage& sum = graph.stages[computing(graph, division.inputs[1])];
  if (!std::holds_alternative<RowSum>(sum.operation)) return std::nullopt;
  return SoftmaxStages{.weights = weights,
                       .sum = division.inputs[1],
                       .exponentials = division.inputs[0],
                       .maximum = exponential.inputs[1],
                       .input = exponential.inputs[0],
                       .mask = graph.stages[weights].mask,
                       .empty_row = op->empty_row};
}

}  // namespace attn
