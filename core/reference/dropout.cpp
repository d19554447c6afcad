// Dropout: an entry's flat index alone decides whether it falls, the factor is multiplied in double.
#include "core/reference/family.h"

namespace attn::reference {

template <class T>
BasicTensor<T> compute(const Dropout& op, TensorsOf<T> inputs) {
  const auto& x = inputs[0];
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    return dropout_keeps(op, x.shape(), c) ? static_cast<double>(x[c]) * op.factor() : 0.0;
  });
}

template struct Reference<Dropout>;

}  // namespace attn::reference
