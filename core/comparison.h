// Comparison: how far computed results lie from the same graph on the reference. Computed, never assumed.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/results.h"

namespace attn {

struct Comparison {
  // Why there are no distances: "this is the reference itself", "not compared: …". Empty when there are.
  std::string reason;
  bool is_reference = false;

  double largest = 0;  // |a − b| over all stages; ∞ when one is NaN or ∞ and the other is not
  StageIndex largest_stage = 0;
  Cell largest_cell;
  std::vector<double> stages;  // the largest |a − b| of each stage; 0 where nothing was computed

  // The accepted distance is |a − b| ≤ 2e-6 + 2e-5·|b| in every cell, b on the reference. `excess` is the
  // largest |a − b| ÷ accepted; at most 1 when all is well.
  double excess = 0;
  StageIndex excess_stage = 0;
  Cell excess_cell;
  bool accepted() const { return excess <= 1; }
};

// Multiply-adds of the stages that were computed, one for each number of the elementwise ones, ten for an
// exponential: what the reference would have to do.
double operation_count(const Results& results);

inline constexpr double kMostComparedOperations = 50e6;

// Runs the graph on the reference, stage by stage from the reference's own results, and compares every stage
// that `results` holds. Asks `give_up` between stages; nothing when it says yes. Never throws: what cannot be
// compared says why.
std::optional<Comparison> compare_with_reference(const Results& results,
                                                 const std::function<bool()>& give_up = {});

}  // namespace attn
