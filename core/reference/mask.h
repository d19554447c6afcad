// The templates of masks: the rules are asked row by row.
#pragma once

#include "core/reference/family.h"

namespace attn::reference {

template <class T>
BasicTensor<T> compute(const Mask& op, TensorsOf<T> inputs) {
  std::vector<char> row;  // of the query at hand
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    if (c.column == 0) row = MaskRow(op.rules, op.place(c.row)).masked();
    // A NaN differs from 0: it masks.
    const bool user = !inputs.empty() && inputs[0][c] != 0;
    return user || row[c.column] ? 1.0 : 0.0;
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
