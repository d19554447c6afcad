#include "core/reference/operations.h"

namespace attn::reference {

template <class T>
BasicTensor<T> run(const SinusoidalEncoding& op, TensorsOf<T> inputs) {
  return generate<T>(shape_of<T>(op, inputs), [&](Cell c) { return sinusoidal_value(op, c.row, c.column); });
}

template BasicTensor<float> run(const SinusoidalEncoding&, TensorsOf<float>);
template BasicTensor<double> run(const SinusoidalEncoding&, TensorsOf<double>);

}  // namespace attn::reference
