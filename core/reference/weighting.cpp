// Weights of scores row by row in double: plain, since others are measured by it.
#include <cmath>

#include "core/reference/family.h"

namespace attn::reference {
namespace {

template <class T>
std::vector<double> scores_of_row(const BasicTensor<T>& x, Cell c) {
  const auto row = x.values().subspan((c.head * x.rows() + c.row) * x.columns(), x.columns());
  return {row.begin(), row.end()};
}

}  // namespace

template <class T>
BasicTensor<T> compute(const RowStatistic& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs),
                     [&](Cell c) { return row_figure(op.figure, scores_of_row(inputs[0], c)); });
}

template <class T>
BasicTensor<T> compute(const ByRow& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    return by_row_value(op.rule, inputs[0][c], inputs[1][{c.head, c.row, 0}]);
  });
}

template <class T>
BasicTensor<T> compute(const RowSumWithOne& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    double sum = std::exp(-static_cast<double>(inputs[1][{c.head, c.row, 0}]));
    for (const double x : scores_of_row(inputs[0], c)) sum += x;
    return sum;
  });
}

template struct Reference<RowStatistic>;
template struct Reference<ByRow>;
template struct Reference<RowSumWithOne>;

}  // namespace attn::reference
