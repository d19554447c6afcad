// Softmax with cross-entropy: what a prediction loses, and what flows back to its scores.
#pragma once

#include "core/operations/traits.h"

namespace attn {

// Inputs Z: S×n×V, a score for each of V answers, and the right answers, S×n×1: the number of a column, or
// one below 0 where nothing is asked (−1, PyTorch's −100). Y: S×n×1, ln Σ exp z − z of the right one, 0 where
// nothing is asked. `mean`: 1×1×1, Σ of these ÷ rows asked; 0 where none is. An answer that is no column's
// number makes its row NaN, and the mean.
struct CrossEntropy {
  static constexpr const char* kName = "cross_entropy";
  bool mean = false;
  bool operator==(const CrossEntropy&) const = default;
};

// What flows back to Z, of its shape: (softmax z − 1 at the right answer)·g, of the `mean` ÷ rows asked; 0 in
// rows where nothing is asked. Inputs Z, the answers, and g, of the result's shape.
struct CrossEntropyGradient {
  static constexpr const char* kName = "cross_entropy_gradient";
  bool mean = false;
  bool operator==(const CrossEntropyGradient&) const = default;
};

}  // namespace attn
