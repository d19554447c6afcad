#include "core/reference/operations.h"

namespace attn::reference {

template <class T>
BasicTensor<T> run(const Mask& op, TensorsOf<T> inputs) {
  const long offset = op.causal_offset();
  return generate<T>(shape_of<T>(op, inputs), [&](Cell c) {
    const bool causal = op.causal && static_cast<long>(c.column) > static_cast<long>(c.row) + offset;
    const bool padding = c.column >= op.valid_length(c.row);
    const bool user = !inputs.empty() && inputs[0][c] != 0;
    return causal || padding || user ? 1.0 : 0.0;
  });
}

template <class T>
BasicTensor<T> run(const MaskFill& op, TensorsOf<T> inputs) {
  const auto &x = inputs[0], &mask = inputs[1];
  return generate<T>(shape_of<T>(op, inputs), [&](Cell c) {
    const double score = x[c];
    const std::size_t s = shared_matrix(c.head, mask.stack(), x.stack());
    if (mask[{s, c.row, c.column}] == 0) return score;
    return op.adds() ? score + op.value() : op.value();
  });
}

template BasicTensor<float> run(const Mask&, TensorsOf<float>);
template BasicTensor<double> run(const Mask&, TensorsOf<double>);
template BasicTensor<float> run(const MaskFill&, TensorsOf<float>);
template BasicTensor<double> run(const MaskFill&, TensorsOf<double>);

}  // namespace attn::reference
