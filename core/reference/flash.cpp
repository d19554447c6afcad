// Flash attention a row at a time, in double and in two passes: plain, since others are measured by it.
#include "core/operations/flash_row.h"
#include "core/reference/family.h"

namespace attn::reference {

template <class T>
BasicTensor<T> compute(const FlashAttention& op, TensorsOf<T> inputs) {
  const auto& v = inputs[2];
  std::optional<FlashRow<T>> row;
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    if (c.column == 0) row.emplace(op, inputs, c.head, c.row);
    if (c.column == v.columns()) return row->log_sum;
    if (c.column > v.columns()) return row->weight(c.column - v.columns() - 1);
    return row->output(v, shared_matrix(c.head, v.stack(), inputs[0].stack()), c.column);
  });
}

template struct Reference<FlashAttention>;

}  // namespace attn::reference
