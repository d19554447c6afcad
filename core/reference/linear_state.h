// The template of the state that linear attention carries: sums over the keys, number by number.
#pragma once

#include "core/operations/linear_attention.h"
#include "core/reference/family.h"

namespace attn::reference {

template <class T>
BasicTensor<T> compute(const LinearState& op, TensorsOf<T> inputs) {
  const auto &k = inputs[0], &v = inputs[1];
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    Wide<T> sum = 0;
    for (std::size_t j = 0; j < op.keys; ++j) {
      const Wide<T> feature = k[{c.head, j, c.row}];
      sum += c.column < v.columns() ? feature * Wide<T>{v[{c.head, j, c.column}]} : feature;
    }
    return sum;
  });
}

}  // namespace attn::reference
