// The mean square distance of a matrix to a target, as a loss.
#pragma once

#include "core/operations/traits.h"

namespace attn {

// Inputs X and a target T, S×n×m: Σ (x − t)² ÷ how many are asked, 1×1×1. Where t is NaN nothing is asked; 0
// where nothing is.
struct MeanSquare {
  static constexpr const char* kName = "mean_square";
  bool operator==(const MeanSquare&) const = default;
};

// What flows back to X, of its shape: 2·(x − t)·g ÷ how many are asked, 0 where nothing is. Inputs X, T and
// g, 1×1×1.
struct MeanSquareGradient {
  static constexpr const char* kName = "mean_square_gradient";
  bool operator==(const MeanSquareGradient&) const = default;
};

}  // namespace attn
