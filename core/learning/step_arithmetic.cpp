// One number's step, term by term.
#include "core/learning/step_arithmetic.h"

#include <cmath>

namespace attn {

StepArithmetic step_arithmetic(const ParameterStep& optimizer, const StepTaken& taken, ParameterCell cell) {
  const Cell at{0, cell.row, cell.column};
  const auto number = [](const Tensor& tensor, Cell of) { return static_cast<double>(tensor[of]); };
  StepArithmetic a;
  a.t = taken.before.step + 1;
  const double t = static_cast<double>(a.t);
  a.rate = rate_at(optimizer, t);
  a.gradient = a.decayed = number(taken.gradients[cell.parameter], at);
  a.before = number(taken.before.parameters[cell.parameter], at);
  a.stored = number(taken.after.parameters[cell.parameter], at);
  if (optimizer.kind == OptimizerKind::sgd) {
    a.shrunk = a.rate * optimizer.decay * a.before;
    a.step = -a.rate * a.gradient;
  } else {
    const bool added = optimizer.kind == OptimizerKind::adam;  // the decay is the gradient's
    if (added) a.decayed += optimizer.decay * a.before;
    const GradientMoments moments{optimizer.beta1, optimizer.beta2, 0};
    const Tensor& before = taken.before.moments[cell.parameter];
    a.m_before = number(before, at), a.v_before = number(before, {1, cell.row, cell.column});
    a.m = first_moment(moments, a.m_before, a.decayed);
    a.v = second_moment(moments, a.v_before, a.decayed);
    a.m_hat = a.m / (1 - std::pow(optimizer.beta1, t));
    a.v_hat = a.v / (1 - std::pow(optimizer.beta2, t));
    if (!added) a.shrunk = a.rate * optimizer.decay * a.before;
    a.step = -a.rate * a.m_hat / (std::sqrt(a.v_hat) + optimizer.epsilon);
  }
  a.after = a.before - a.shrunk + a.step;
  return a;
}

}  // namespace attn
