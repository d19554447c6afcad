// Rows normalised as Transformer blocks have them (LayerNorm, RMSNorm), what flows back through that, and
// columns added up, which is what flows back to a bias.
#pragma once

#include "core/operations/traits.h"

namespace attn {

// Inputs X: S×n×d, and, where there are, a gain γ: 1×1×d, and behind it a bias β: 1×1×d. Y = γ·x̂ + β with x̂ =
// (x − μ) ÷ s, μ the mean of the row and s = √(its variance + ε), which divides by d (Ba, Kiros, Hinton
// 2016); not `centred`: μ = 0, s = √(mean x² + ε) (Zhang, Sennrich 2019).
struct RowNorm {
  static constexpr const char* kName = "row_norm";
  bool centred = true;
  double epsilon = 1e-5;
  bool operator==(const RowNorm&) const = default;
};

// What flows back through it. Inputs X, G (S×n×d), the gradient of the result, and, where there is one, γ.
// Of the rows: dX, S×n×d, (ĝ − mean ĝ − x̂·mean(ĝ·x̂)) ÷ s with ĝ = γ·g; not centred, without mean ĝ. Of the
// gain: dγ = Σ over all rows of g·x̂, 1×1×d, which reads no γ. Of the bias: ColumnSum of G.
struct RowNormGradient {
  enum Of { rows, gain };
  static constexpr const char* kName = "row_norm_gradient";
  RowNorm norm = {};
  Of of = rows;
  bool operator==(const RowNormGradient&) const = default;
};

// The rows of all matrices added up: S×n×d to 1×1×d; of `each`: those of each matrix alone, to S×1×d.
struct ColumnSum {
  static constexpr const char* kName = "column_sum";
  bool each = false;
  bool operator==(const ColumnSum&) const = default;
};

}  // namespace attn
