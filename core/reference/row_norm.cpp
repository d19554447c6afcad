// Normalised rows, their gradients and sums of columns, in double.
#include "core/operations/row_norm_row.h"
#include "core/reference/family.h"

namespace attn::reference {
namespace {

// Calls row(its first cell, its place in `values`) for each row that is wanted.
template <class Row>
void for_each_row(const WantedRows& wanted, Row row) {
  for (std::size_t i = 0; i < wanted.count(); ++i) row(wanted.row(i), i * wanted.shape.columns);
}

template <class T>
std::vector<T> rounded(const std::vector<double>& sums) {
  std::vector<T> values;
  for (const double sum : sums) values.push_back(static_cast<T>(sum));
  return values;
}

template <class T>
BasicTensor<T> gradient_of_gain(const RowNorm& norm, TensorsOf<T> inputs) {
  const auto &x = inputs[0], &g = inputs[1];
  std::vector<double> sums(x.columns());
  for (std::size_t i = 0; i < x.stack() * x.rows(); ++i) {
    const auto row = row_numbers(x, 0, i), flows = row_numbers(g, 0, i);
    const RowScale scale = row_scale(norm, row);
    for (std::size_t j = 0; j < sums.size(); ++j)
      sums[j] += static_cast<double>(flows[j]) * normed(scale, static_cast<double>(row[j]));
  }
  return {{1, 1, x.columns()}, rounded<T>(sums)};
}

}  // namespace

template <class T>
BasicTensor<T> compute(const RowNorm& op, TensorsOf<T> inputs) {
  const WantedRows result = wanted<T>(op, inputs);
  std::vector<T> values(result.count() * result.shape.columns);
  for_each_row(result, [&](Cell at, std::size_t place) {
    const auto row = row_numbers(inputs[0], at.head, at.row);
    const RowScale scale = row_scale(op, row);
    for (; at.column < row.size(); ++at.column) {
      double y = normed(scale, static_cast<double>(row[at.column]));
      if (inputs.size() > 1) y *= static_cast<double>(inputs[1][{0, 0, at.column}]);
      if (inputs.size() > 2) y += static_cast<double>(inputs[2][{0, 0, at.column}]);
      values[place + at.column] = static_cast<T>(y);
    }
  });
  return {result.result(), std::move(values)};
}

template <class T>
BasicTensor<T> compute(const RowNormGradient& op, TensorsOf<T> inputs) {
  if (op.of == RowNormGradient::gain) return gradient_of_gain<T>(op.norm, inputs);
  const WantedRows result = wanted<T>(op, inputs);
  std::vector<T> values(result.count() * result.shape.columns);
  const std::span<const T> gain = inputs.size() > 2 ? inputs[2].values() : std::span<const T>();
  for_each_row(result, [&](Cell at, std::size_t place) {
    const auto x = row_numbers(inputs[0], at.head, at.row), g = row_numbers(inputs[1], at.head, at.row);
    const RowScale scale = row_scale(op.norm, x);
    const RowLoss loss = row_loss(op.norm, scale, x, g, gain);
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double flows = static_cast<double>(g[j]) * (gain.empty() ? 1 : static_cast<double>(gain[j]));
      const double x_hat = normed(scale, static_cast<double>(x[j]));
      values[place + j] = static_cast<T>((flows - loss.mean - x_hat * loss.along) / scale.length);
    }
  });
  return {result.result(), std::move(values)};
}

template <class T>
BasicTensor<T> compute(const ColumnSum& op, TensorsOf<T> inputs) {
  const auto& x = inputs[0];
  const std::size_t matrices = op.each ? x.stack() : 1, rows = op.each ? x.rows() : x.stack() * x.rows();
  std::vector<double> sums(matrices * x.columns());
  for (std::size_t i = 0; i < matrices * rows; ++i) {
    const auto row = row_numbers(x, 0, i);
    const std::size_t first = i / rows * x.columns();
    for (std::size_t j = 0; j < x.columns(); ++j) sums[first + j] += static_cast<double>(row[j]);
  }
  return {{matrices, 1, x.columns()}, rounded<T>(sums)};
}

template struct Reference<RowNorm>;
template struct Reference<RowNormGradient>;
template struct Reference<ColumnSum>;

}  // namespace attn::reference
