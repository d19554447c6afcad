// The softmax cell by cell, in double and in the order of the keys: plain, since others are measured by it.
#include <cmath>
#include <limits>

#include "core/reference/family.h"

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
BasicTensor<T> compute(const RowMaximum& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    double maximum = -std::numeric_limits<double>::infinity();
    for (const T x : row_of(inputs[0], c))
      if (std::isnan(x) || x > maximum) maximum = x;  // once NaN, no comparison replaces it
    return maximum;
  });
}

template <class T>
BasicTensor<T> compute(const Exponential& op, TensorsOf<T> inputs) {
  const auto& x = inputs[0];
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    return exponential_value(op, x[c], inputs.size() > 1 ? statistic(inputs[1], c) : 0);
  });
}

template <class T>
BasicTensor<T> compute(const RowSum& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    double sum = 0;
    for (const T x : row_of(inputs[0], c)) sum += static_cast<double>(x);
    return sum;
  });
}

template <class T>
BasicTensor<T> compute(const Normalize& op, TensorsOf<T> inputs) {
  const auto& x = inputs[0];
  return generate<T>(wanted<T>(op, inputs),
                     [&](Cell c) { return normalized_value(op, x[c], statistic(inputs[1], c)); });
}

template BasicTensor<float> run<float>(const RowMaximum&, TensorsOf<float>);
template BasicTensor<double> run<double>(const RowMaximum&, TensorsOf<double>);
template BasicTensor<float> run<float>(const Exponential&, TensorsOf<float>);
template BasicTensor<double> run<double>(const Exponential&, TensorsOf<double>);
template BasicTensor<float> run<float>(const RowSum&, TensorsOf<float>);
template BasicTensor<double> run<double>(const RowSum&, TensorsOf<double>);
template BasicTensor<float> run<float>(const Normalize&, TensorsOf<float>);
template BasicTensor<double> run<double>(const Normalize&, TensorsOf<double>);

}  // namespace attn::reference
