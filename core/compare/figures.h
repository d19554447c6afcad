// What two layers' results differ by, in all: stage by stage, their weights, their outputs.
#pragma once

#include <optional>
#include <vector>

#include "core/checks/array_difference.h"
#include "core/compare/graph.h"
#include "core/evaluate/results.h"

namespace attn {

// How many numbers and rows of a stage that both have are other in B, of all heads.
struct CellCounts {
  std::size_t cells = 0, rows = 0;
  std::size_t changed_rows = 0;       // with a number that differs by more than rounding may
  std::size_t nan = 0;                // in one alone
  std::size_t hidden = 0, freed = 0;  // −∞ in B alone, in A alone
};

struct CompareFigures {
  std::vector<ComparedStage> stages = {};
  // Of each; none where only one layer has it, or in another shape. Heads that share a matrix each have it.
  std::vector<std::optional<ArrayDifference>> differences = {};
  std::vector<CellCounts> counts = {};
  // The first of the differences (core/checks/stage_pairs.h), by what rounding may explain
  // (accepted_distance, core/checks/comparison.h); none: the layers are equal.
  std::optional<std::size_t> first = {};
  std::optional<std::size_t> weights = {}, output = {};  // among the stages, where both have them
  double entropy_a = 0, entropy_b = 0;                   // mean over rows and heads, in nats
  std::size_t same_strongest = 0, rows = 0;              // rows whose largest weight has the same key
  std::vector<double> moved = {};                        // of each such row: half the sum of |B − A|
  std::vector<double> head_largest = {};                 // |B − A| of each head's weights
  double output_distance = 0;                            // ‖B − A‖ ÷ ‖A‖ of the outputs
};
// Of the numbers that there are: `results` of kComparePlan, complete.
CompareFigures compare_figures(const Results& results);

}  // namespace attn
