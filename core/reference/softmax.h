// The templates of the softmax, cell by cell and in the order of the keys: plain, since others are measured
// by it.
#pragma once

#include <cmath>
#include <limits>

#include "core/operations/softmax_row.h"
#include "core/reference/family.h"

namespace attn::reference {

// The row of `x` that belongs to a cell of a row statistic.
template <class T>
std::span<const T> row_of(const BasicTensor<T>& x, Cell c) {
  return x.values().subspan((c.head * x.rows() + c.row) * x.columns(), x.columns());
}

template <class T>
Wide<T> statistic(const BasicTensor<T>& column, Cell c) {
  return column[{c.head, c.row, 0}];
}

template <class T>
BasicTensor<T> compute(const RowMaximum& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    using std::isnan;
    Wide<T> maximum = -std::numeric_limits<double>::infinity();
    for (const T x : row_of(inputs[0], c))
      if (isnan(x) || x > maximum) maximum = x;  // once NaN, no comparison replaces it
    return maximum;
  });
}

template <class T>
BasicTensor<T> compute(const Exponential& op, TensorsOf<T> inputs) {
  const auto& x = inputs[0];
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    return exponential_value<Wide<T>>(op, x[c], inputs.size() > 1 ? statistic(inputs[1], c) : Wide<T>(0));
  });
}

template <class T>
BasicTensor<T> compute(const RowSum& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    Wide<T> sum = 0;
    for (const T x : row_of(inputs[0], c)) sum += static_cast<Wide<T>>(x);
    return sum;
  });
}

template <class T>
BasicTensor<T> compute(const Normalize& op, TensorsOf<T> inputs) {
  const auto& x = inputs[0];
  return generate<T>(wanted<T>(op, inputs),
                     [&](Cell c) { return normalized_value<Wide<T>>(op, x[c], statistic(inputs[1], c)); });
}

}  // namespace attn::reference
