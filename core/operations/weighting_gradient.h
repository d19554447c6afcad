// What flows back through rows of weights, from the weights themselves, and through one number of a row.
#pragma once

#include "core/operations/traits.h"

namespace attn {

enum class WeightsRule {
  softmax,    // a ⊙ (g − Σ_j a·g); softmax-1 has the same
  sparsemax,  // g − mean of g over the support, which are the keys with a > 0; 0 elsewhere
  sigmoid,    // g·a·(1 − a)
  rectified,  // g where a > 0, ÷ r where r is given; 0 elsewhere
};

// Inputs: weights A, S×n×m, or S×1×m where all rows of G belong to the same; G: S×n×m; of `rectified` maybe
// r: S×n×1. Result S×n×m. Where a weight is 0 it is exactly 0, and adds 0 to sums, whatever G holds there.
struct WeightsGradient {
  static constexpr const char* kName = "weights_gradient";
  WeightsRule rule = WeightsRule::softmax;
  bool operator==(const WeightsGradient&) const = default;
};

enum class FigureRule {
  largest,          // g ÷ how many equal the largest, where x is one of them
  largest_or_zero,  // the same where the largest is above 0; 0 elsewhere
  threshold,        // g ÷ size of the support, where x > τ
};

// What flows back through a number of each row. Inputs X: S×n×m, that number, S×n×1, and G: S×n×1; result
// S×n×m. Rows whose largest is −∞ get zeros.
struct FigureGradient {
  static constexpr const char* kName = "figure_gradient";
  FigureRule rule = FigureRule::largest;
  bool operator==(const FigureGradient&) const = default;
};

}  // namespace attn
