// What turns rows of scores into weights besides the softmax's own steps, and what is said of rows of
// weights. Scores that are −∞ are masked: they get the weight 0, and a row of nothing else has no key left.
#pragma once

#include <span>

#include "core/operations/traits.h"

namespace attn {

// One number of a row.
enum class RowFigure {
  largest_or_zero,  // c = max(0, max z) of softmax-1
  keys_left,        // how many scores are not −∞
  // τ of sparsemax (Martins, Astudillo 2016, equation 4): (Σ_S z − 1) ÷ |S|, where S are the k largest with
  // 1 + k·z₍k₎ > Σ_{j≤k} z₍j₎; 0 where no key is left, NaN of a row with +∞
  threshold,
  entropy,        // −Σ a·ln a of weights, in nats, with 0·ln 0 = 0
  largest_share,  // the largest weight that a softmax of the row has: 1 ÷ Σ exp(z − max); 0 without a key
};

// X: h×n×m to h×n×1. NaN anywhere in the row gives NaN, except for keys_left, which counts it.
struct RowStatistic {
  static constexpr const char* kName = "row_statistic";
  RowFigure figure = RowFigure::keys_left;
  bool operator==(const RowStatistic&) const = default;
};

// What becomes of a score x by the number r of its row.
enum class RowRule {
  minus_maximum,  // x − r; −∞ in a row whose maximum r is −∞
  above,          // max(0, x − r): sparsemax, r its threshold
  sigmoid,        // σ(x − ln r), r the keys left (Ramapuram et al. 2024)
  rectified,      // max(0, x) ÷ r, r the keys left (Wortsman et al. 2023)
};

// Inputs X (h×n×m) and a number for each of its rows (h×n×1).
struct ByRow {
  static constexpr const char* kName = "by_row";
  RowRule rule = RowRule::minus_maximum;
  bool operator==(const ByRow&) const = default;
};

// Inputs exp(X − c) (h×n×m) and c (h×n×1): Y = exp(−c) + Σ_j of the first: what softmax-1 divides by.
struct RowSumWithOne {
  static constexpr const char* kName = "row_sum_with_one";
  bool operator==(const RowSumWithOne&) const = default;
};

// The arithmetic in double, shared by the reference, the explanations and what is said of a row.
double row_figure(RowFigure figure, std::span<const double> row);
double by_row_value(RowRule rule, double x, double r);

}  // namespace attn
