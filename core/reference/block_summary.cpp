// What blocks of a matrix hold, figure by figure.
#include "core/operations/block_summary.h"

#include "core/operations/matmul.h"
#include "core/reference/family.h"

namespace attn::reference {

template <class T>
BasicTensor<T> compute(const BlockSummary& op, TensorsOf<T> inputs) {
  const auto& x = inputs[0];
  const Shape read = read_of(op, x.shape());
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    const auto masked = [&](Cell at) {
      if (inputs.size() < 2) return false;
      at.head = shared_matrix(at.head, inputs[1].stack(), x.stack());
      return static_cast<double>(inputs[1][at]) != 0;
    };
    const auto value = [&](Cell at) {
      at.column += op.before;
      return static_cast<double>(x[at]);
    };
    return block_figures(read, c, value, masked)[c.column / blocks_in(read.columns)];
  });
}

template struct Reference<BlockSummary>;

}  // namespace attn::reference
