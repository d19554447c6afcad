// Two layers' numbers compared, in double.
#include "core/operations/compared.h"

#include "core/reference/family.h"

namespace attn::reference {

template <class T>
BasicTensor<T> compute(const Compared& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    return compared_value(op.figure, static_cast<double>(inputs[0][c]), static_cast<double>(inputs[1][c]));
  });
}

template struct Reference<Compared>;

}  // namespace attn::reference
