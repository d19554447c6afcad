// The templates of scaling, adding and multiplying, computed wide and rounded once; and of replacing, which
// only copies.
#pragma once

#include "core/operations/products.h"
#include "core/reference/family.h"

namespace attn::reference {

template <class T>
BasicTensor<T> compute(const Scale& op, TensorsOf<T> inputs) {
  const auto& x = inputs[0];
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) { return static_cast<Wide<T>>(x[c]) * op.factor; });
}

template <class T>
BasicTensor<T> compute(const Add& op, TensorsOf<T> inputs) {
  const auto &x = inputs[0], &b = inputs[1];
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    const std::size_t s = shared_matrix(c.head, b.stack(), x.stack());
    return static_cast<Wide<T>>(x[c]) + static_cast<Wide<T>>(b[{s, c.row, c.column}]);
  });
}

template <class T>
BasicTensor<T> compute(const Multiply& op, TensorsOf<T> inputs) {
  const auto &x = inputs[0], &b = inputs[1];
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    return product_or_zero(static_cast<Wide<T>>(x[c]),
                           static_cast<Wide<T>>(b[factor_cell(b.shape(), x.shape(), c)]));
  });
}

template <class T>
BasicTensor<T> compute(const Override& op, TensorsOf<T> inputs) {
  const auto& x = inputs[0];
  std::vector<T> values(x.values().begin(), x.values().end());
  for (const CellValue& c : op.cells) values[x.index(c.cell)] = static_cast<T>(c.value);
  return {x.shape(), std::move(values)};
}

}  // namespace attn::reference
