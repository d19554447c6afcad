// Local attention in double: plain, since others are measured by it.
#include "core/operations/local_slopes.h"
#include "core/operations/matmul.h"
#include "core/reference/family.h"

namespace attn::reference {

template <class T>
BasicTensor<T> compute(const LocalCentre& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) { return local_centre(op, inputs[0][c]); });
}

template <class T>
BasicTensor<T> compute(const LocalMask& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    bool masked = is_outside(op, inputs[0][{c.head, c.row, 0}], c.column);
    if (inputs.size() > 1) {
      const std::size_t s = shared_matrix(c.head, inputs[1].stack(), inputs[0].stack());
      masked = masked || inputs[1][{s, c.row, c.column}] != 0;
    }
    return masked ? 1.0 : 0.0;
  });
}

template <class T>
BasicTensor<T> compute(const LocalDecay& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    return static_cast<double>(inputs[0][c]) * local_factor(op, inputs[1][{c.head, c.row, 0}], c.column);
  });
}

template <class T>
BasicTensor<T> compute(const CentreGradient& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs), [&](Cell c) {
    return static_cast<double>(inputs[1][c]) * centre_slope(op, inputs[0][c]);
  });
}

template <class T>
BasicTensor<T> compute(const DecayGradient& op, TensorsOf<T> inputs) {
  return generate<T>(wanted<T>(op, inputs), [&](Cell row) {
    double sum = 0;
    for (Cell c = row; c.column < inputs[0].columns(); ++c.column) {
      const double y = inputs[0][c];
      if (y != 0) sum += static_cast<double>(inputs[2][c]) * decay_slope(y, inputs[1][row], c.column);
    }
    return sum * decay_scale(op);
  });
}

template struct Reference<LocalCentre>;
template struct Reference<LocalMask>;
template struct Reference<LocalDecay>;
template struct Reference<CentreGradient>;
template struct Reference<DecayGradient>;

}  // namespace attn::reference
