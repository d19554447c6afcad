// What depends on offsets: one index for each offset, looked up from query and key.
#include "core/reference/family.h"

namespace attn::reference {
namespace {

// By offset, from the lowest on.
std::vector<std::size_t> indices(const OffsetRule& rule, const Offsets& offsets) {
  std::vector<std::size_t> all;
  for (std::ptrdiff_t offset = offsets.from; offset < offsets.to; ++offset)
    all.push_back(index_of(rule, offset));
  return all;
}

}  // namespace

template <class T>
BasicTensor<T> compute(const DistanceBias& op, TensorsOf<T> inputs) {
  const Offsets offsets(1, op.columns, op.first);  // of query 0
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    const std::ptrdiff_t offset =
        offsets.from + static_cast<std::ptrdiff_t>(c.column) - static_cast<std::ptrdiff_t>(c.row);
    return distance_bias(alibi_slope(c.head, op.heads), offset);
  });
}

template <class T>
BasicTensor<T> compute(const ByOffset& op, TensorsOf<T> inputs) {
  const auto& x = inputs[0];
  const std::vector<std::size_t> index = indices(op.rule, {op.queries, op.keys, op.first});
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    return x[{c.head, x.rows() == 1 ? 0 : c.row, index[c.column + op.queries - 1 - c.row]}];
  });
}

template <class T>
BasicTensor<T> compute(const SumByOffset& op, TensorsOf<T> inputs) {
  const auto& x = inputs[0];
  const WantedRows result = wanted<T>(op, inputs);
  const std::vector<std::size_t> index = indices(op.rule, {x.rows(), x.columns(), op.first});
  std::vector<double> sums(result.count() * result.shape.columns);
  for (std::size_t i = 0; i < result.count(); ++i) {
    const Cell at = result.row(i);
    for (std::size_t key = 0; key < x.columns(); ++key)
      sums[i * result.shape.columns + index[key + x.rows() - 1 - at.row]] +=
          static_cast<double>(x[{at.head, at.row, key}]);
  }
  return {result.result(), std::vector<T>(sums.begin(), sums.end())};
}

template struct Reference<DistanceBias>;
template struct Reference<ByOffset>;
template struct Reference<SumByOffset>;

}  // namespace attn::reference
