// Regression a query at a time, in double: plain, since others are measured by it.
#include "core/operations/regression_row.h"
#include "core/reference/family.h"

namespace attn::reference {

template <class T>
BasicTensor<T> compute(const LinearWeights& op, TensorsOf<T> inputs) {
  const auto& w = inputs[0];
  WeightedPlace place;
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    if (c.column == 0)
      place = place_of(w.values().subspan(c.row * w.columns(), w.columns()), inputs[2].values());
    return linear_weight(w[c], place, inputs[1][{0, c.row, 0}], inputs[2][{0, c.column, 0}]);
  });
}

template <class T>
BasicTensor<T> compute(const KernelEstimate& op, TensorsOf<T> inputs) {
  std::vector<double> kernels;
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    if (c.column == 0)
      kernels =
          KernelRow<T>{
              .keys = inputs[1], .widths = inputs[3], .query = inputs[0][{0, c.row, 0}], .row = c.row}
              .kernels(op.kernel);
    return estimate_of(kernels, inputs[2], c.column);
  });
}

template <class T>
BasicTensor<T> compute(const LeaveOneOut& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    const KernelRow<T> row{.keys = inputs[0],
                           .widths = inputs[2],
                           .query = inputs[0][{0, c.row, 0}],
                           .row = c.row,
                           .matrix = c.head,
                           .skip = c.row};
    const std::vector<double> kernels = row.kernels(op.kernel);
    double sum = 0;
    for (std::size_t column = 0; column < inputs[1].columns(); ++column) {
      const double off = inputs[1][{0, c.row, column}] - estimate_of(kernels, inputs[1], column);
      sum += off * off;
    }
    return sum;
  });
}

template struct Reference<LinearWeights>;
template struct Reference<KernelEstimate>;
template struct Reference<LeaveOneOut>;

}  // namespace attn::reference
