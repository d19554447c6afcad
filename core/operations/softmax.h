// The softmax over the keys of each row, in its four steps: maximum, exponentials, sum, division.
#pragma once

#include "core/operations/traits.h"

namespace attn {

// What a row whose scores are all −∞ becomes ("no key left").
enum class EmptyRow { zeros, nan, uniform };

// Y[i] = max over j of X[i,j]: h×n×m to h×n×1. NaN anywhere in the row gives NaN.
struct RowMaximum {
  static constexpr const char* kName = "row_maximum";
  bool operator==(const RowMaximum&) const = default;
};

// Inputs X (h×n×m) and its row maximum (h×n×1): Y = exp(X − maximum). X alone: Y = exp(X).
// `hard` is the limit of temperature 0: 1 where X equals the maximum, 0 elsewhere, so ties share equally; it
// needs the maximum.
// A row whose maximum is −∞ becomes zeros, NaN or ones (which then divide to uniform weights).
struct Exponential {
  static constexpr const char* kName = "exponential";
  bool hard = false;
  EmptyRow empty_row = EmptyRow::zeros;
  bool operator==(const Exponential&) const = default;
};

// Y[i] = Σ_j X[i,j]: h×n×m to h×n×1.
struct RowSum {
  static constexpr const char* kName = "row_sum";
  bool operator==(const RowSum&) const = default;
};

// Inputs X (h×n×m) and its row sum (h×n×1): Y = X ÷ sum; a row whose sum is 0 stays 0, or is `undefined`:
// NaN.
struct Normalize {
  static constexpr const char* kName = "normalize";
  bool undefined = false;
  bool operator==(const Normalize&) const = default;
};

// The arithmetic of one number, shared by the reference and the explanations. `maximum` is X's row maximum.
double exponential_value(const Exponential& op, double x, double maximum);
double normalized_value(const Normalize& op, double x, double sum);

}  // namespace attn
