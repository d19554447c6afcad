// Regression over the points at once: the estimate without its weights, the weights of a local line, and what
// leaving a point out says about a width.
#pragma once

#include "core/operations/kernel.h"

namespace attn {

// Inputs W (1×n×m, rows that sum to 1), queries q (1×n×1) and keys k (1×m×1): the weights with which the
// weighted least-squares line through the points, read at q, is a sum over their values too (Cleveland 1979;
// Fan 1992). L = w·(1 + (q − k̄)(k − k̄) ÷ Σ w(k − k̄)²), k̄ = Σ w·k. They sum to 1 and may be negative. Where
// all weight lies at one key's place there is no line: L = w, the constant estimate. Weights below 1e-30 of
// exponentials are rounding's own and count as 0.
struct LinearWeights {
  static constexpr const char* kName = "linear_weights";
  bool operator==(const LinearWeights&) const = default;
};
inline constexpr float kLeastWeight = 1e-30f;

// Inputs q (1×n×1), k (1×m×1), values v (1×m×c), widths σ (as of KernelDistance): Σ κ·v ÷ Σ κ, 1×n×c, with no
// pair kept (Nadaraya 1964, Watson 1964). NaN where no key is in reach.
struct KernelEstimate {
  static constexpr const char* kName = "kernel_estimate";
  Kernel kernel = Kernel::gaussian;
  bool operator==(const KernelEstimate&) const = default;
};

// Inputs k (1×m×1), v (1×m×c) and candidate widths σ, a matrix of them each (s×1×1, s×m×1 of a query, s×1×m
// of a key): the squared error of the estimate at each key from all others, s×m×1. NaN where no other is in
// reach.
struct LeaveOneOut {
  static constexpr const char* kName = "leave_one_out";
  Kernel kernel = Kernel::gaussian;
  bool operator==(const LeaveOneOut&) const = default;
};

}  // namespace attn
