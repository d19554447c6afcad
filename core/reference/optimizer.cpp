// A step of learning, in double.
#include "core/operations/optimizer.h"

#include "core/reference/family.h"

namespace attn::reference {

template <class T>
BasicTensor<T> compute(const Increment& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) { return static_cast<double>(inputs[0][c]) + 1; });
}

template <class T>
BasicTensor<T> compute(const GradientMoments& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    const Cell at{0, c.row, c.column};
    double g = static_cast<double>(inputs[1][at]);
    if (op.decay != 0) g += op.decay * static_cast<double>(inputs[2][at]);
    const double before = static_cast<double>(inputs[0][c]);
    return c.head == 0 ? first_moment(op, before, g) : second_moment(op, before, g);
  });
}

template <class T>
BasicTensor<T> compute(const ParameterStep& op, TensorsOf<T> inputs) {
  const double t = static_cast<double>(inputs[2][{0, 0, 0}]) + 1;
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    const double v = op.kind == OptimizerKind::sgd ? 0 : static_cast<double>(inputs[1][{1, c.row, c.column}]);
    return stepped(op, static_cast<double>(inputs[0][c]), static_cast<double>(inputs[1][c]), v, t);
  });
}

template struct Reference<Increment>;
template struct Reference<GradientMoments>;
template struct Reference<ParameterStep>;

}  // namespace attn::reference
