// The templates of masks: each cell asks its rules one by one.
#pragma once

#include <optional>

#include "core/reference/family.h"

namespace attn::reference {

template <class T>
BasicTensor<T> compute(const Mask& op, TensorsOf<T> inputs) {
  std::optional<MaskRow> row;  // of the query at hand
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    if (c.column == 0) row.emplace(op.rules, op.place(c.row));
    // A NaN differs from 0: it masks.
    const bool user = !inputs.empty() && inputs[0][c] != 0;
    return user || row->masked(c.column) ? 1.0 : 0.0;
  });
}

template <class T>
BasicTensor<T> compute(const MaskFill& op, TensorsOf<T> inputs) {
  const auto &x = inputs[0], &mask = inputs[1];
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    const Wide<T> score = x[c];
    const std::size_t s = shared_matrix(c.head, mask.stack(), x.stack());
    if (mask[{s, c.row, c.column}] == 0) return score;
    return op.adds() ? score + op.value() : Wide<T>(op.value());
  });
}

}  // namespace attn::reference
