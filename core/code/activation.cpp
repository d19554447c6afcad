// ReLU, GELU and SiLU by their definitions, and their slopes.
#include "core/code/activation.h"

#include <numbers>

#include "core/code/family.h"

namespace attn::code {
namespace {

constexpr double kCube = 0.044715;
const double kInner = std::sqrt(2 / std::numbers::pi);

// Φ, the share of a normal distribution below x.
Formula share_below(Formula x) {
  return 0.5 * (1 + of_each(Fn::erf, x / std::numbers::sqrt2));
}

Formula inner_tanh(Formula x) {
  return of_each(Fn::tanh, kInner * (x + kCube * x * x * x));
}

Formula slope(ActivationKind kind, Formula x) {
  switch (kind) {
    case ActivationKind::relu:
      return where(binary(Fn::above, x, 0), 1, 0);
    case ActivationKind::gelu:
      return share_below(x) + x * of_each(Fn::exp, -0.5 * x * x) / std::sqrt(2 * std::numbers::pi);
    case ActivationKind::gelu_tanh: {
      const Formula t = inner_tanh(x);
      return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * kInner * (1 + 3 * kCube * x * x);
    }
    case ActivationKind::silu:
      break;
  }
  const Formula s = sigmoid(x);
  return s * (1 + x * (1 - s));
}

}  // namespace

Formula activated(ActivationKind kind, Formula x) {
  switch (kind) {
    case ActivationKind::relu:
      return binary(Fn::larger, x, 0);
    case ActivationKind::gelu:
      return x * share_below(x);
    case ActivationKind::gelu_tanh:
      return 0.5 * x * (1 + inner_tanh(x));
    case ActivationKind::silu:
      break;
  }
  return x * sigmoid(x);
}

Formula formula(const Activation& op, const Given& in) {
  return activated(op.kind, in[0]);
}

Formula formula(const ActivationGradient& op, const Given& in) {
  return times_or_zero(in[1], slope(op.kind, in[0]));
}

template struct CodeOf<Activation>;
template struct CodeOf<ActivationGradient>;

}  // namespace attn::code
