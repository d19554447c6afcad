// Following a softmax back from its weights.
#include "core/softmax_stages.h"

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

bool is_shared_out(const Graph& graph, StageIndex weights) {
  const Stage& stage = graph.stages[computing(graph, weights)];
  if (std::holds_alternative<Round>(stage.operation)) return false;
  if (const auto* by_row = std::get_if<ByRow>(&stage.operation))
    return by_row->rule != RowRule::sigmoid && by_row->rule != RowRule::rectified;
  if (!std::holds_alternative<Normalize>(stage.operation)) return true;
  const Stage& sum = graph.stages[computing(graph, stage.inputs[1])];
  return !std::holds_alternative<RowSumWithOne>(sum.operation);
}

std::vector<SoftmaxStages> softmaxes_of(const Graph& graph) {
  std::vector<SoftmaxStages> found;
  for (StageIndex i = 0; i < graph.stages.size(); ++i) {
    if (!graph.stages[i].traced || graph.stages[i].role != Role::weights) continue;
    if (const auto softmax = softmax_at(graph, i)) found.push_back(*softmax);
  }
  return found;
}

}  // namespace attn
