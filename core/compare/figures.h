// What two layers' results differ by, in all: stage by stage, their weights, their outputs.
#pragma once

#include <optional>
#include <vector>

#include "core/checks/array_difference.h"
#include "core/compare/graph.h"
#include "core/evaluate/results.h"

namespace attn {

struct CompareFigures {
  std::vector<ComparedStage> stages = {};
  // Of each; none where only one layer has it, or in another shape. Heads that share a matrix each have it.
  std::vector<std::optional<ArrayDifference>> differences = {};
  // The first of them (core/checks/stage_pairs.h), by what rounding may explain (accepted_distance,
  // core/checks/comparison.h); none: the layers are equal.
  std::optional<std::size_t> first = {};
  std::optional<std::size_t> weights = {}, output = {};  // among the stages, where both have them
  double entropy_a = 0, entropy_b = 0;                   // mean over rows and heads, in nats
  std::size_t same_strongest = 0, rows = 0;              // rows whose largest weight has the same key
  double output_distance = 0;                            // ‖B − A‖ ÷ ‖A‖ of the outputs
};
// Of the numbers that there are: `results` of kComparePlan, complete.
CompareFigures compare_figures(const Results& results);

}  // namespace attn
