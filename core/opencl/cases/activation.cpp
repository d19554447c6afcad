// Activations of numbers of every kind, also of small ones, around which they bend; what flows back.
#include "core/operations/activation.h"

#include <cmath>
#include <numbers>

#include "core/opencl/cases/family.h"

namespace attn::opencl {
namespace {

constexpr ActivationKind kActivations[]{ActivationKind::relu, ActivationKind::gelu, ActivationKind::gelu_tanh,
                                        ActivationKind::silu};

Tensor where_it_bends(Shape shape) {
  std::vector<float> values;
  const Tensor from = numbers(shape, Kind::ordinary, 5);
  for (const float v : from.values()) values.push_back(v / 5);
  return {shape, std::move(values)};
}

std::vector<Case> activation_cases(Scope scope) {
  std::vector<Case> cases;
  for (const ActivationKind kind : kActivations) {
    append(cases, over_shapes(scope, Activation{kind}));
    if (scope == Scope::self_test || scope == Scope::comparison)
      cases.push_back(
          {std::string(name(kind)) + " of small numbers", Activation{kind}, {where_it_bends({1, 7, 23})}});
  }
  return cases;
}

std::vector<Case> activation_gradient_cases(Scope scope) {
  std::vector<Case> cases;
  for (const ActivationKind kind : kActivations) {
    append(cases, over_shapes(scope, ActivationGradient{kind}, [](Shape shape, Kind of, std::uint64_t seed) {
             return std::vector{numbers(shape, of, seed), with_zeros(numbers(shape, of, seed + 1000))};
           }));
    if (scope == Scope::self_test || scope == Scope::comparison)
      cases.push_back({std::string(name(kind)) + " of small numbers",
                       ActivationGradient{kind},
                       {where_it_bends({1, 7, 23}), numbers({1, 7, 23}, Kind::ordinary, 6)}});
  }
  return cases;
}

// What the exponential of GELU's tanh form is taken of: five roundings made it.
double tanh_argument(double x) {
  return 1.6 * std::abs(x) * (1 + 0.0448 * x * x);
}

// The share of x that passes, Φ or σ. Φ is off by 1.2e-7, or 2 roundings, by two exponentials of 3 units in
// the last place, by the rounding of t, which counts twice, and by a dozen others; σ by an exponential, by
// what that is taken of, by a sum, a quotient and a product.
double activation_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const double x = c.inputs[0][cell], size = std::abs(reference), smallest = spacing(0, arithmetic);
  if (!std::isfinite(x)) return 0;
  switch (std::get<Activation>(c.operation).kind) {
    case ActivationKind::relu:
      return 0;
    case ActivationKind::gelu:
      return size * 34 * kUnit + 17 * smallest;
    case ActivationKind::gelu_tanh:
      return size * (16 + 5 * tanh_argument(x)) * kUnit + 2 * smallest;
    case ActivationKind::silu:
      return size * 12 * kUnit + (2 * std::min(std::abs(x), 110.0) + 2) * smallest;
  }
  return 0;
}

// How far a slope may be off: the share as above, and what is added to it, or taken from it, where it
// cancels, x times the share's own slope; an exponential of a rounded number is off by the number's error.
double slope_error(ActivationKind kind, double x, double smallest) {
  const double far = std::min(std::abs(x), 110.0);
  switch (kind) {
    case ActivationKind::relu:
      return 0;
    case ActivationKind::gelu: {
      const double share = std::erfc(-x / std::numbers::sqrt2) / 2;
      const double density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
      return (34 * share + std::abs(x) * density * (12 + x * x)) * kUnit + (far + 17) * smallest;
    }
    case ActivationKind::gelu_tanh: {
      if (far > 15) return 2 * smallest;
      const double argument = tanh_argument(x), s = activated(kind, x) / (x == 0 ? 1 : x);
      const double share = x == 0 ? 0.5 : s;
      const double other = 1.6 * std::abs(x) * share * (1 - share) * (1 + 0.1342 * x * x);
      return (share * (16 + 5 * argument) + other * (40 + 10 * argument)) * kUnit + 500 * smallest;
    }
    case ActivationKind::silu: {
      const double share = 1 / (1 + std::exp(-x)), other = 1 / (1 + std::exp(x));
      return share * (14 + 28 * far * other) * kUnit + (4 * far + 4) * smallest;
    }
  }
  return 0;
}

double activation_gradient_tolerance(const Case& c, Cell cell, double reference,
                                     const Arithmetic& arithmetic) {
  const double x = c.inputs[0][cell], g = std::abs(static_cast<double>(c.inputs[1][cell]));
  if (!std::isfinite(x) || !std::isfinite(g)) return 0;
  const double smallest = spacing(0, arithmetic);
  return g * slope_error(std::get<ActivationGradient>(c.operation).kind, x, smallest) +
         0.5 * spacing(reference, arithmetic) + smallest;
}

}  // namespace

Declaration declared(Of<Activation>) {
  return {Activation::kName, activation_cases, activation_tolerance};
}
Declaration declared(Of<ActivationGradient>) {
  return {ActivationGradient::kName, activation_gradient_cases, activation_gradient_tolerance};
}

template Declaration declaration<Activation>();
template Declaration declaration<ActivationGradient>();

}  // namespace attn::opencl
