#include <cmath>
#include <limits>

#include "core/reference/operations.h"

namespace attn::reference {
namespace {

// The row of `x` that belongs to a cell of a row statistic.
template <class T>
std::span<const T> row_of(const BasicTensor<T>& x, Cell c) {
  return x.values().subspan((c.head * x.rows() + c.row) * x.columns(), x.columns());
}

template <class T>
double statistic(const BasicTensor<T>& column, Cell c) {
  return column[{c.head, c.row, 0}];
}

}  // namespace

template <class T>
BasicTensor<T> run(const RowMaximum& op, TensorsOf<T> inputs) {
  return generate<T>(shape_of<T>(op, inputs), [&](Cell c) {
    double maximum = -std::numeric_limits<double>::infinity();
    for (const T x : row_of(inputs[0], c))
      if (std::isnan(x) || x > maximum) maximum = x;  // once NaN, no comparison replaces it
    return maximum;
  });
}

template <class T>
BasicTensor<T> run(const Exponential& op, TensorsOf<T> inputs) {
  const auto& x = inputs[0];
  return generate<T>(x.shape(), [&](Cell c) { return exponential_value(op, x[c], statistic(inputs[1], c)); });
}

template <class T>
BasicTensor<T> run(const RowSum& op, TensorsOf<T> inputs) {
  return generate<T>(shape_of<T>(op, inputs), [&](Cell c) {
    double sum = 0;
    for (const T x : row_of(inputs[0], c)) sum += static_cast<double>(x);
    return sum;
  });
}

template <class T>
BasicTensor<T> run(const Normalize&, TensorsOf<T> inputs) {
  const auto& x = inputs[0];
  return generate<T>(x.shape(), [&](Cell c) { return normalized_value(x[c], statistic(inputs[1], c)); });
}

template BasicTensor<float> run(const RowMaximum&, TensorsOf<float>);
template BasicTensor<double> run(const RowMaximum&, TensorsOf<double>);
template BasicTensor<float> run(const Exponential&, TensorsOf<float>);
template BasicTensor<double> run(const Exponential&, TensorsOf<double>);
template BasicTensor<float> run(const RowSum&, TensorsOf<float>);
template BasicTensor<double> run(const RowSum&, TensorsOf<double>);
template BasicTensor<float> run(const Normalize&, TensorsOf<float>);
template BasicTensor<double> run(const Normalize&, TensorsOf<double>);

}  // namespace attn::reference
