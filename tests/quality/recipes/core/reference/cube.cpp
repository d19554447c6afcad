// Cubes, in double.
#include "core/reference/family.h"

namespace attn::reference {

template <class T>
BasicTensor<T> compute(const Cube& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    const auto x = static_cast<double>(inputs[0][c]);
    return x * x * x;
  });
}

template struct Reference<Cube>;

}  // namespace attn::reference
