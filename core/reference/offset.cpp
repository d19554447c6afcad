// What depends on offsets: one index for each offset, looked up from query and key.
#include "core/reference/family.h"

namespace attn::reference {
namespace {

// By offset j − i from 1 − queries on.
std::vector<std::size_t> indices(const OffsetRule& rule, std::size_t queries, std::size_t keys) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i + 1 < queries + keys; ++i)
    all.push_back(index_of(rule, static_cast<std::ptrdiff_t>(i + 1) - static_cast<std::ptrdiff_t>(queries)));
  return all;
}

}  // namespace

template <class T>
BasicTensor<T> compute(const DistanceBias& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs),
                     [&](Cell c) { return distance_bias(alibi_slope(c.head, op.heads), c.row, c.column); });
}

template <class T>
BasicTensor<T> compute(const ByOffset& op, TensorsOf<T> inputs) {
  const auto& x = inputs[0];
  const std::vector<std::size_t> index = indices(op.rule, op.queries, op.keys);
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    return x[{c.head, x.rows() == 1 ? 0 : c.row, index[c.column + op.queries - 1 - c.row]}];
  });
}

template <class T>
BasicTensor<T> compute(const SumByOffset& op, TensorsOf<T> inputs) {
  const auto& x = inputs[0];
  const Wanted result = wanted<T>(op, inputs);
  const std::vector<std::size_t> index = indices(op.rule, x.rows(), x.columns());
  std::vector<double> sums(result.count() * result.shape.columns);
  for (std::size_t i = 0; i < result.count(); ++i) {
    const Cell at = result.row(i);
    for (std::size_t key = 0; key < x.columns(); ++key)
      sums[i * result.shape.columns + index[key + x.rows() - 1 - at.row]] +=
          static_cast<double>(x[{at.head, at.row, key}]);
  }
  return {result.result(), std::vector<T>(sums.begin(), sums.end())};
}

template BasicTensor<float> run<float>(const DistanceBias&, TensorsOf<float>);
template BasicTensor<double> run<double>(const DistanceBias&, TensorsOf<double>);
template BasicTensor<float> run<float>(const ByOffset&, TensorsOf<float>);
template BasicTensor<double> run<double>(const ByOffset&, TensorsOf<double>);
template BasicTensor<float> run<float>(const SumByOffset&, TensorsOf<float>);
template BasicTensor<double> run<double>(const SumByOffset&, TensorsOf<double>);

}  // namespace attn::reference
