// Position encodings by the standard library's sine and cosine of a double angle.
#include "core/reference/family.h"

namespace attn::reference {

template <class T>
BasicTensor<T> compute(const SinusoidalEncoding& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) { return sinusoidal_value(op, c.row, c.column); });
}

template BasicTensor<float> run<float>(const SinusoidalEncoding&, TensorsOf<float>);
template BasicTensor<double> run<double>(const SinusoidalEncoding&, TensorsOf<double>);

}  // namespace attn::reference
