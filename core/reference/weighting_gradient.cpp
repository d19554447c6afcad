// What flows back through rows of weights and through a number of a row, in double.
#include "core/operations/weighting_gradient_row.h"

#include "core/operations/row_norm_row.h"
#include "core/reference/family.h"

namespace attn::reference {

template <class T>
BasicTensor<T> compute(const WeightsGradient& op, TensorsOf<T> inputs) {
  const auto &weights = inputs[0], &flows = inputs[1];
  const bool divided = op.rule == WeightsRule::rectified && inputs.size() > 2;
  const WantedRows result = wanted<T>(op, inputs);
  std::vector<T> values;
  values.reserve(result.count() * result.shape.columns);
  for (std::size_t i = 0; i < result.count(); ++i) {
    const Cell at = result.row(i);
    const auto a = row_numbers(weights, at.head, weights.rows() == 1 ? 0 : at.row);
    const auto g = row_numbers(flows, at.head, at.row);
    const WeightsRow row = weights_row(op.rule, a, g);
    const double r = divided ? static_cast<double>(inputs[2][at]) : 1;
    for (std::size_t j = 0; j < a.size(); ++j)
      values.push_back(static_cast<T>(
          weights_flow(op.rule, row, static_cast<double>(a[j]), static_cast<double>(g[j]), r)));
  }
  return {result.result(), std::move(values)};
}

template <class T>
BasicTensor<T> compute(const FigureGradient& op, TensorsOf<T> inputs) {
  const WantedRows result = wanted<T>(op, inputs);
  std::vector<T> values;
  values.reserve(result.count() * result.shape.columns);
  for (std::size_t i = 0; i < result.count(); ++i) {
    const Cell at = result.row(i);
    const auto x = row_numbers(inputs[0], at.head, at.row);
    const double figure = static_cast<double>(inputs[1][at]), g = static_cast<double>(inputs[2][at]);
    const double makers = figure_makers(op.rule, x, figure);
    for (const T number : x)
      values.push_back(
          static_cast<T>(makes_figure(op.rule, static_cast<double>(number), figure) ? g / makers : 0));
  }
  return {result.result(), std::move(values)};
}

template struct Reference<WeightsGradient>;
template struct Reference<FigureGradient>;

}  // namespace attn::reference
