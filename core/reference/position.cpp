// Position encodings by the standard library's sine and cosine of a double angle; learned tables.
#include "core/reference/family.h"

namespace attn::reference {

template <class T>
BasicTensor<T> compute(const SinusoidalEncoding& op, TensorsOf<T> inputs) {
  std::vector<double> frequencies;
  for (std::size_t column = 0; column < op.columns; ++column) frequencies.push_back(op.frequency(column));
  return generate<T>(wanted<T>(op, inputs),
                     [&](Cell c) { return sinusoidal_value(op, frequencies[c.column], c.row, c.column); });
}

template <class T>
BasicTensor<T> compute(const LearnedTable& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) { return learned_value(op, c); });
}

template struct Reference<SinusoidalEncoding>;
template struct Reference<LearnedTable>;

}  // namespace attn::reference
