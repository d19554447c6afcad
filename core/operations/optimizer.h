// What makes a step of learning of gradients: running moments of them, and parameters that move. A Program
// makes all of them in the memory of what they replace.
#pragma once

#include "core/operations/traits.h"

namespace attn {

// Every number plus 1: what counts the steps of a program on its device.
struct Increment {
  static constexpr const char* kName = "increment";
  bool operator==(const Increment&) const = default;
};

// Inputs: moments [m; v], 2×n×c, the gradient g and the parameter p, 1×n×c. Result: m ← β₁m + (1 − β₁)g and v
// ← β₂v + (1 − β₂)g², of g + decay·p in place of g where there is a decay (Kingma, Ba 2015; that decay is
// PyTorch's Adam's).
struct GradientMoments {
  static constexpr const char* kName = "gradient_moments";
  double beta1 = 0.9, beta2 = 0.999, decay = 0;
  bool operator==(const GradientMoments&) const = default;
};

enum class OptimizerKind { adam, adamw, sgd };

// A step of a parameter p, 1×n×c. Inputs: p; its moments, 2×n×c, or of sgd its gradient, 1×n×c; and the
// number of this step, counted from 0, 1×1×1. With t that number + 1 and the rate η = rate·min(1, t ÷
// warm_up): p − η·m̂ ÷ (√v̂ + ε), m̂ = m ÷ (1 − β₁ᵗ), v̂ = v ÷ (1 − β₂ᵗ); of adamw p is multiplied by 1 − η·decay
// first (Loshchilov, Hutter 2019); of sgd p − η·(g + decay·p).
struct ParameterStep {
  static constexpr const char* kName = "parameter_step";
  OptimizerKind kind = OptimizerKind::adam;
  double rate = 1e-3, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, decay = 0;
  std::size_t warm_up = 0;
  bool operator==(const ParameterStep&) const = default;
};

// The arithmetic in double. `t`: the step's number, from 1 on.
double rate_at(const ParameterStep& op, double t);
double first_moment(const GradientMoments& op, double m, double g);
double second_moment(const GradientMoments& op, double v, double g);
// Of adam and adamw m and v, of sgd g and nothing.
double stepped(const ParameterStep& op, double p, double m, double v, double t);

}  // namespace attn
