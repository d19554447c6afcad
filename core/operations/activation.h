// What bends a feed-forward network's inner numbers: ReLU, GELU, SiLU; and what flows back through that.
#pragma once

#include "core/operations/traits.h"

namespace attn {

// Of one number x: max(0, x); x·Φ(x) by the error function (Hendrycks, Gimpel 2016), or in its tanh form
// ½x·(1
// + tanh(√(2/π)·(x + 0.044715x³))); x·σ(x) (Elfwing et al. 2017). Of −∞ all are 0.
enum class ActivationKind { relu, gelu, gelu_tanh, silu };

// Y = f(X), any shape.
struct Activation {
  static constexpr const char* kName = "activation";
  ActivationKind kind = ActivationKind::relu;
  bool operator==(const Activation&) const = default;
};

// Inputs X and G, the gradient of f(X), of its shape: G·f′(X), 0 where either is. ReLU has the slope 0 at 0.
struct ActivationGradient {
  static constexpr const char* kName = "activation_gradient";
  ActivationKind kind = ActivationKind::relu;
  bool operator==(const ActivationGradient&) const = default;
};

const char* name(ActivationKind kind);  // "GELU", for a person

// The arithmetic of one number, in double.
double activated(ActivationKind kind, double x);
double activation_slope(ActivationKind kind, double x);

}  // namespace attn
