// The arithmetic of one number of the softmax, on any kind of number: what the reference computes and the
// explanations tell, and what a number that counts its operations counts.
#pragma once

#include <cmath>
#include <limits>

#include "core/operations/softmax.h"
#include "core/text/special.h"

namespace attn {

template <class Number>
Number exponential_value(const Exponential& op, Number x, Number maximum) {
  using std::exp, std::isnan;
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  if (maximum == -kInfinity) {
    if (op.empty_row == EmptyRow::zeros) return 0;
    return op.empty_row == EmptyRow::uniform ? 1 : kNaN;
  }
  if (!op.hard) return exp(x - maximum);
  if (isnan(maximum)) return maximum;
  return x == maximum ? 1 : 0;
}

template <class Number>
Number normalized_value(const Normalize& op, Number x, Number sum) {
  if (sum == 0) return op.undefined ? std::numeric_limits<double>::quiet_NaN() : 0;
  return x / sum;
}

}  // namespace attn
