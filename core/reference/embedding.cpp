// Embeddings: rows copied, and what flows to equal ids added up in double.
#include "core/operations/embedding.h"

#include <limits>

#include "core/reference/family.h"

namespace attn::reference {

template <class T>
BasicTensor<T> compute(const Embedding& op, TensorsOf<T> inputs) {
  const auto &table = inputs[0], &ids = inputs[1];
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    const auto row = embedded_row(static_cast<double>(ids[{0, c.row, 0}]), table.rows());
    return row ? static_cast<double>(table[{0, *row, c.column}]) : std::numeric_limits<double>::quiet_NaN();
  });
}

// The tokens of each row are listed first: a table has many more rows than they are.
template <class T>
BasicTensor<T> compute(const EmbeddingGradient& op, TensorsOf<T> inputs) {
  const auto &g = inputs[0], &ids = inputs[1];
  std::vector<std::vector<std::size_t>> tokens(op.rows);
  for (std::size_t i = 0; i < ids.rows(); ++i) {
    const auto row = embedded_row(static_cast<double>(ids[{0, i, 0}]), op.first + op.rows);
    if (row && *row >= op.first) tokens[*row - op.first].push_back(i);
  }
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    double sum = 0;
    for (const std::size_t i : tokens[c.row]) sum += static_cast<double>(g[{0, i, c.column}]);
    return sum;
  });
}

template struct Reference<Embedding>;
template struct Reference<EmbeddingGradient>;

}  // namespace attn::reference
