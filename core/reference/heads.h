// The templates of merging heads, of a row, of exchanged rows and columns: each cell fetches its number.
#pragma once

#include "core/reference/family.h"

namespace attn::reference {

template <class T>
BasicTensor<T> compute(const Concat& op, TensorsOf<T> inputs) {
  const auto& x = inputs[0];
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    const std::size_t head = c.column / x.columns();
    return op.mutes(head) ? T{0} : x[{head, c.row, c.column % x.columns()}];
  });
}

template <class T>
BasicTensor<T> compute(const PickRow& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) { return inputs[0][{op.head, op.row, c.column}]; });
}

template <class T>
BasicTensor<T> compute(const Transpose& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) { return inputs[0][{c.head, c.column, c.row}]; });
}

}  // namespace attn::reference
