// Flows found by what their stages read, and their sums.
#include "core/gradients/weights_flow.h"

#include <cmath>

#include "core/graph/softmax_stages.h"

namespace attn {
namespace {

constexpr double kSumRounding = 1e-6;  // of Σ |dA·A|, as sums of weights are allowed

double number_at(const Results& results, StageIndex stage, Cell cell) {
  return static_cast<double>(results.outputs[stage][cell]);
}

}  // namespace

std::optional<WeightsFlow> weights_flow(const Graph& graph, StageIndex gradient) {
  const Stage& stage = graph.stages[gradient];
  if (stage.role != Role::gradient || !stage.gradient_of || stage.inputs.size() < 2) return std::nullopt;
  const StageIndex weights = stage.inputs[0], d_weights = stage.inputs[1];
  if (graph.stages[weights].role != Role::weights || graph.stages[d_weights].gradient_of != weights)
    return std::nullopt;
  return WeightsFlow{gradient, *stage.gradient_of, d_weights, weights};
}

bool keeps_sum(const Graph& graph, StageIndex weights) {
  return graph.stages[weights].row_total == RowTotal::one || softmax_at(graph, weights);
}

bool FlowSums::vanishes() const {
  return std::abs(scores) <= kSumRounding * size;
}

FlowSums sums_of(const Results& results, const WeightsFlow& flow, std::size_t head, std::size_t row) {
  FlowSums sums;
  for (std::size_t key = 0; key < results.outputs[flow.d_scores].columns(); ++key) {
    const Cell cell{head, row, key};
    const double weight = number_at(results, flow.weights, cell);
    const double earned = weight == 0 ? 0 : weight * number_at(results, flow.d_weights, cell);
    sums.weights += weight, sums.earned += earned, sums.size += std::abs(earned);
    sums.scores += number_at(results, flow.d_scores, cell);
  }
  return sums;
}

FarthestSum farthest_sum(const Results& results, const WeightsFlow& flow) {
  const StageResult& d_scores = results.outputs[flow.d_scores];
  FarthestSum farthest;
  for (std::size_t head = 0; head < d_scores.stack(); ++head)
    for (std::size_t row = 0; row < d_scores.rows(); ++row) {
      const FlowSums sums = sums_of(results, flow, head, row);
      const bool holds = sums.vanishes(), first_broken = !holds && farthest.holds;
      if (!first_broken && (holds != farthest.holds || !(std::abs(sums.scores) > farthest.sum))) continue;
      farthest = {std::abs(sums.scores), {head, row, 0}, holds};
    }
  return farthest;
}

}  // namespace attn
