// Decoding in double: a copy with the rows in it; the attention that it is short for.
#include "core/operations/decode.h"

#include "core/reference/family.h"

namespace attn::reference {

template <class T>
BasicTensor<T> compute(const PutRows& op, TensorsOf<T> inputs) {
  const auto &x = inputs[0], &rows = inputs[1];
  const auto first = row_at(static_cast<double>(inputs[kPutPlace][{0, 0, 0}]), x.rows());
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    const bool put = first && c.row >= *first && c.row - *first < rows.rows();
    return put ? rows[{c.head, c.row - *first, c.column}] : x[c];
  });
}

template <class T>
BasicTensor<T> compute(const CachedAttention& op, TensorsOf<T> inputs) {
  const double place = static_cast<double>(inputs[kCachedPlace][{0, 0, 0}]);
  return Reference<FlashAttention>::run(as_flash(op, inputs[1].rows(), place), inputs);
}

template struct Reference<PutRows>;
template struct Reference<CachedAttention>;

}  // namespace attn::reference
