// What flows from weights straight to the scores that they were made of, row by row: dS by A and dA.
#pragma once

#include <optional>

#include "core/evaluate/results.h"

namespace attn {

struct WeightsFlow {
  StageIndex d_scores = 0, scores = 0;    // dS, and what the weighting read
  StageIndex d_weights = 0, weights = 0;  // dA, A
};
// None: that gradient is made otherwise.
std::optional<WeightsFlow> weights_flow(const Graph& graph, StageIndex gradient);

// Whether rows of such weights keep their sum, so that the gradients of a row's scores add up to 0.
bool keeps_sum(const Graph& graph, StageIndex weights);

// Of one row: Σ A, Σ dA·A and Σ dS; where a weight is 0 it adds 0, whatever dA is.
struct FlowSums {
  double weights = 0, earned = 0, scores = 0;
  double size = 0;  // Σ |dA·A|: what Σ dS is a rest of
  // Whether Σ dS is 0 but for rounding.
  bool vanishes() const;
};
// The row's numbers are known.
FlowSums sums_of(const Results& results, const WeightsFlow& flow, std::size_t head, std::size_t row);

// Of all rows the one whose gradients add up to most.
struct FarthestSum {
  double sum = 0;  // its size; NaN where one is
  Cell where;
  bool holds = true;
};
// All numbers are here.
FarthestSum farthest_sum(const Results& results, const WeightsFlow& flow);

}  // namespace attn
