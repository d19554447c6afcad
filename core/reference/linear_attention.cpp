// Linear attention in double, by sums over pairs: plain, since others are measured by it.
#include <optional>

#include "core/operations/linear_row.h"
#include "core/reference/linear_state.h"

namespace attn::reference {
namespace {

template <class T>
std::vector<double> linear_gradient_of_query(const LinearGradient& op, TensorsOf<T> inputs, Cell row) {
  const auto& k = inputs[1];
  const std::size_t matrix = shared_matrix(row.head, k.stack(), inputs[0].stack());
  const LinearBack<T> back(op.forward, inputs, row.head, row.row);
  std::vector<double> sums(k.columns());
  for (std::size_t j = 0; j < back.seen(); ++j) {
    const double to_product = back.to_product(j);
    for (std::size_t i = 0; i < sums.size(); ++i)
      sums[i] += to_product * static_cast<double>(k[{matrix, j, i}]);
  }
  return sums;
}

template <class T>
std::vector<double> linear_gradient_of_key(TensorsOf<T> inputs, const std::vector<LinearBack<T>>& rows,
                                           std::size_t key) {
  const auto& q = inputs[0];
  const std::size_t r = q.columns(), c = inputs[2].columns();
  std::vector<double> sums(r + c);
  for (const LinearBack<T>& back : rows) {
    if (key >= back.seen()) continue;
    const double to_product = back.to_product(key), weight = back.weight(key);
    const auto [head, row, column] = back.row();
    for (std::size_t i = 0; i < r; ++i) sums[i] += to_product * static_cast<double>(q[{head, row, i}]);
    for (std::size_t i = 0; i < c; ++i) sums[r + i] += weight * back.to_output(i);
  }
  return sums;
}

}  // namespace

template <class T>
BasicTensor<T> compute(const LinearAttention& op, TensorsOf<T> inputs) {
  const std::size_t columns = inputs[2].columns();
  std::optional<LinearRow<T, Wide<T>>> row;
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    if (c.column == 0) row.emplace(op, inputs, c.head, c.row);
    return c.column < columns ? row->output(c.column) : row->z();
  });
}

template <class T>
BasicTensor<T> compute(const LinearGradient& op, TensorsOf<T> inputs) {
  std::optional<std::size_t> matrix;
  std::vector<LinearBack<T>> rows;  // of the matrix
  std::vector<double> sums;
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    if (c.column == 0 && op.of == LinearSide::queries) sums = linear_gradient_of_query(op, inputs, c);
    if (c.column == 0 && op.of == LinearSide::keys) {
      if (matrix != c.head) rows = linear_rows_of_keys<T>(op.forward, inputs, c.head), matrix = c.head;
      sums = linear_gradient_of_key(inputs, rows, c.row);
    }
    return sums[c.column];
  });
}

template struct Reference<LinearAttention>;
template struct Reference<LinearState>;
template struct Reference<LinearGradient>;

}  // namespace attn::reference
