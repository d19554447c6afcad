// The way back through flash attention in double, a row of the result at a time: plain, since others are
// measured by it.
#include "core/operations/flash_gradient_row.h"
#include "core/reference/family.h"

namespace attn::reference {
namespace {

// Σ of what passes to the scores times the keys.
template <class T>
std::vector<double> gradient_of_query(const FlashGradient& op, TensorsOf<T> inputs, Cell row) {
  const auto& k = inputs[1];
  const std::size_t matrix = shared_matrix(row.head, k.stack(), inputs[0].stack());
  const FlashBack<T> back(op, inputs, row.head, row.row);
  std::vector<double> sums(k.columns());
  for (std::size_t j = 0; j < k.rows(); ++j) {
    if (back.hides(j)) continue;
    const double to_score = op.forward.scale * back(j).to_score();
    for (std::size_t i = 0; i < sums.size(); ++i)
      sums[i] += to_score * static_cast<double>(k[{matrix, j, i}]);
  }
  return sums;
}

// Σ of what passes to the scores times the queries, and of the weights times what passes to the outputs.
template <class T>
std::vector<double> gradient_of_key(const FlashGradient& op, TensorsOf<T> inputs,
                                    const std::vector<FlashBack<T>>& rows, std::size_t key) {
  const auto& q = inputs[0];
  const std::size_t d = q.columns(), c = inputs[2].columns();
  std::vector<double> sums(d + c);
  for (const FlashBack<T>& back : rows) {
    if (back.hides(key)) continue;
    const FlashPair pair = back(key);
    const auto [head, row, column] = back.row();
    for (std::size_t i = 0; i < d; ++i)
      sums[i] += op.forward.scale * pair.to_score() * static_cast<double>(q[{head, row, i}]);
    for (std::size_t i = 0; i < c; ++i) sums[d + i] += pair.weight * back.to_output(i);
  }
  return sums;
}

}  // namespace

template <class T>
BasicTensor<T> compute(const FlashGradient& op, TensorsOf<T> inputs) {
  std::optional<std::size_t> matrix;
  std::vector<FlashBack<T>> rows;  // of the matrix
  std::vector<double> sums;
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    if (c.column == 0 && op.of == FlashSide::queries) sums = gradient_of_query(op, inputs, c);
    if (c.column == 0 && op.of == FlashSide::keys) {
      if (matrix != c.head) rows = rows_of_keys<T>(op, inputs, c.head), matrix = c.head;
      sums = gradient_of_key(op, inputs, rows, c.row);
    }
    return sums[c.column];
  });
}

template struct Reference<FlashGradient>;

}  // namespace attn::reference
