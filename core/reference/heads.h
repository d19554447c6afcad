// The templates of merging, splitting, adding up, viewing and repeating heads, of a row, of exchanged rows
// and columns: each cell fetches its number, or its numbers.
#pragma once

#include <algorithm>

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
BasicTensor<T> compute(const SplitHeads& op, TensorsOf<T> inputs) {
  const auto& x = inputs[0];
  const std::size_t width = x.columns() / op.heads;
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    const bool muted = std::ranges::binary_search(op.muted, c.head);
    return muted ? T{0} : x[{0, c.row, c.head * width + c.column}];
  });
}

template <class T>
BasicTensor<T> compute(const HeadSum& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    Wide<T> sum{0};
    for (std::size_t head = c.head * op.group; head < (c.head + 1) * op.group; ++head)
      sum += static_cast<Wide<T>>(inputs[0][{head, c.row, c.column}]);
    return sum;
  });
}

template <class T>
BasicTensor<T> compute(const PickRow& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) { return inputs[0][{op.head, op.row, c.column}]; });
}

template <class T>
BasicTensor<T> compute(const Reshape& op, TensorsOf<T> inputs) {
  const auto& x = inputs[0];
  return generate<T>(wanted<T>(op, inputs),
                     [&](Cell c) { return x[cell_at(x.shape(), index_of(op.shape, c))]; });
}

template <class T>
BasicTensor<T> compute(const TileHeads& op, TensorsOf<T> inputs) {
  const auto& x = inputs[0];
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) { return x[{c.head % x.stack(), c.row, c.column}]; });
}

template <class T>
BasicTensor<T> compute(const Transpose& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) { return inputs[0][{c.head, c.column, c.row}]; });
}

}  // namespace attn::reference
