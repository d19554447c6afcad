// Activations and their gradients, number by number in double.
#include "core/operations/activation.h"

#include "core/operations/products.h"
#include "core/reference/family.h"

namespace attn::reference {

template <class T>
BasicTensor<T> compute(const Activation& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs),
                     [&](Cell c) { return activated(op.kind, static_cast<double>(inputs[0][c])); });
}

template <class T>
BasicTensor<T> compute(const ActivationGradient& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    return product_or_zero(static_cast<double>(inputs[1][c]),
                           activation_slope(op.kind, static_cast<double>(inputs[0][c])));
  });
}

template struct Reference<Activation>;
template struct Reference<ActivationGradient>;

}  // namespace attn::reference
