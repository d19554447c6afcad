// How long the rows of a matrix are, and rows brought to one length.
#pragma once

#include "core/operations/traits.h"

namespace attn {

// Of each row, S×n×d to S×n×1: its length √Σ x², or its root mean square √(Σ x² ÷ d + ε) with ε =
// kNormEpsilon (Zhang, Sennrich 2019).
struct RowLength {
  static constexpr const char* kName = "row_length";
  bool mean = false;
  bool operator==(const RowLength&) const = default;
};
inline constexpr double kNormEpsilon = 1e-6;

// Inputs X: S×n×d and a length for each row, S×n×1: Y = X ÷ length; a row without length stays 0.
struct ByLength {
  static constexpr const char* kName = "by_length";
  bool operator==(const ByLength&) const = default;
};

// The arithmetic of one number, shared by the reference and the explanations. `squares`: their sum.
double length_value(const RowLength& op, double squares, std::size_t columns);
double by_length_value(double x, double length);

}  // namespace attn
