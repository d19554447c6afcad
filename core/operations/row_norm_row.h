// The arithmetic of one row of a norm in double, shared by the reference and the explanations.
#pragma once

#include <cmath>
#include <span>

#include "core/operations/row_norm.h"

namespace attn {

template <class T>
std::span<const T> row_numbers(const BasicTensor<T>& x, std::size_t head, std::size_t row) {
  return x.values().subspan((head * x.rows() + row) * x.columns(), x.columns());
}

// Of a row: x̂ = (x − mean) ÷ length.
struct RowScale {
  double mean = 0, length = 1;
};
template <class T>
RowScale row_scale(const RowNorm& op, std::span<const T> x) {
  const double count = static_cast<double>(x.size());
  RowScale scale;
  if (op.centred) {
    for (const T number : x) scale.mean += static_cast<double>(number);
    scale.mean /= count;
  }
  double squares = 0;
  for (const T number : x) {
    const double from_mean = static_cast<double>(number) - scale.mean;
    squares += from_mean * from_mean;
  }
  scale.length = std::sqrt(squares / count + op.epsilon);
  return scale;
}

inline double normed(const RowScale& scale, double x) {
  return (x - scale.mean) / scale.length;
}

// What all numbers of a row lose of their gradient: mean ĝ, and x̂ times mean ĝ·x̂.
struct RowLoss {
  double mean = 0, along = 0;
};
// `gain`: empty where there is none.
template <class T>
RowLoss row_loss(const RowNorm& op, const RowScale& scale, std::span<const T> x, std::span<const T> g,
                 std::span<const T> gain) {
  RowLoss loss;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double flows = static_cast<double>(g[j]) * (gain.empty() ? 1 : static_cast<double>(gain[j]));
    if (op.centred) loss.mean += flows;
    loss.along += flows * normed(scale, static_cast<double>(x[j]));
  }
  const double count = static_cast<double>(x.size());
  return {loss.mean / count, loss.along / count};
}

}  // namespace attn
