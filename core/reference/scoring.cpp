// Distances, pairs and tanh in double: plain, since others are measured by it.
#include <cmath>

#include "core/reference/family.h"

namespace attn::reference {
namespace {

// The row of the keys that a query of this head meets.
template <class T>
Cell key_row(TensorsOf<T> inputs, std::size_t head, std::size_t key) {
  return {shared_matrix(head, inputs[1].stack(), inputs[0].stack()), key, 0};
}

template <class T>
std::span<const T> row_at(const BasicTensor<T>& x, Cell c) {
  return x.values().subspan((c.head * x.rows() + c.row) * x.columns(), x.columns());
}

}  // namespace

template <class T>
BasicTensor<T> compute(const Tanh& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) { return tanh_value(op, inputs[0][c]); });
}

template <class T>
BasicTensor<T> compute(const SquaredDistance& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    const auto q = row_at(inputs[0], c), x = row_at(inputs[1], key_row(inputs, c.head, c.column));
    double sum = 0;
    for (std::size_t k = 0; k < q.size(); ++k) {
      const double apart = static_cast<double>(q[k]) - static_cast<double>(x[k]);
      sum += apart * apart;
    }
    return sum;
  });
}

template <class T>
BasicTensor<T> compute(const TakeColumns& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    return inputs[0][{c.head, c.row, op.first + c.column}];
  });
}

template <class T>
BasicTensor<T> compute(const PairSum& op, TensorsOf<T> inputs) {
  const std::size_t keys = inputs[1].rows();
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    Cell k = key_row(inputs, c.head, c.row % keys);
    k.column = c.column;
    return static_cast<double>(inputs[0][{c.head, c.row / keys, c.column}]) +
           static_cast<double>(inputs[1][k]);
  });
}

template <class T>
BasicTensor<T> compute(const PairProduct& op, TensorsOf<T> inputs) {
  const auto v = inputs[1].values();
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    const auto x = row_at(inputs[0], {c.head, c.row * op.keys + c.column, 0});
    double sum = 0;
    for (std::size_t k = 0; k < v.size(); ++k) sum += static_cast<double>(x[k]) * static_cast<double>(v[k]);
    return sum;
  });
}

template <class T>
BasicTensor<T> compute(const AdditiveScore& op, TensorsOf<T> inputs) {
  const auto v = inputs[2].values();
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    const auto q = row_at(inputs[0], c), x = row_at(inputs[1], key_row(inputs, c.head, c.column));
    double sum = 0;
    for (std::size_t k = 0; k < v.size(); ++k)
      sum += static_cast<double>(v[k]) * std::tanh(static_cast<double>(q[k]) + static_cast<double>(x[k]));
    return sum;
  });
}

template struct Reference<Tanh>;
template struct Reference<SquaredDistance>;
template struct Reference<TakeColumns>;
template struct Reference<PairSum>;
template struct Reference<PairProduct>;
template struct Reference<AdditiveScore>;

}  // namespace attn::reference
