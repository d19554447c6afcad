// Activations: their arithmetic, and one number of them in words.
#include "core/operations/activation.h"

#include <cmath>
#include <numbers>

#include "core/operations/family.h"
#include "core/operations/products.h"
#include "core/operations/written.h"
#include "core/system/error.h"

namespace attn {
namespace {

constexpr double kActivationWork = 20;  // multiply-adds of an exponential or an error function
constexpr double kCubic = 0.044715;     // of GELU's tanh form
const double kTanhFactor = std::sqrt(2 / std::numbers::pi);

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

double normal_share(double x) {  // Φ
  return std::erfc(-x / std::numbers::sqrt2) / 2;
}

double work(ActivationKind kind) {
  return kind == ActivationKind::relu ? 1 : kActivationWork;
}

}  // namespace

const char* name(ActivationKind kind) {
  switch (kind) {
    case ActivationKind::relu:
      return "ReLU";
    case ActivationKind::gelu:
      return "GELU";
    case ActivationKind::gelu_tanh:
      return "GELU, by tanh";
    case ActivationKind::silu:
      return "SiLU";
  }
  return "";
}

double activated(ActivationKind kind, double x) {
  if (x == -INFINITY) return 0;
  switch (kind) {
    case ActivationKind::relu:
      return x < 0 ? 0 : x;
    case ActivationKind::gelu:
      return x * normal_share(x);
    case ActivationKind::gelu_tanh:  // ½(1 + tanh u) is σ(2u), which loses no digits below 0
      return x * sigmoid(2 * kTanhFactor * (x + kCubic * x * x * x));
    case ActivationKind::silu:
      return x * sigmoid(x);
  }
  return x;
}

double activation_slope(ActivationKind kind, double x) {
  if (std::isinf(x)) return x > 0 ? 1 : 0;
  switch (kind) {
    case ActivationKind::relu:
      return std::isnan(x) ? x : x > 0 ? 1 : 0;
    case ActivationKind::gelu:
      return normal_share(x) + x * std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
    case ActivationKind::gelu_tanh: {  // with s = σ(2u): s + x·2s(1 − s)·u′
      const double u = kTanhFactor * (x + kCubic * x * x * x), s = sigmoid(2 * u);
      const double grows = kTanhFactor * (1 + 3 * kCubic * x * x);
      return s + 2 * x * s * sigmoid(-2 * u) * grows;
    }
    case ActivationKind::silu:
      return sigmoid(x) * (1 + x * sigmoid(-x));
  }
  return 1;
}

Shape result_shape(const Activation&, Shapes inputs) {
  return inputs[0];
}
Shape result_shape(const ActivationGradient&, Shapes inputs) {
  if (inputs[1] != inputs[0])
    throw Error("a gradient of " + to_string(inputs[1]) + " is not that of numbers of " +
                to_string(inputs[0]));
  return inputs[0];
}

Explanation explain(const Activation& op, Inputs inputs, Cell cell) {
  const Operand x = operand(inputs, 0, cell);
  const std::string function = name(op.kind);
  Explanation e = only(function, {.operands = {x}, .value = activated(op.kind, x.value)});
  e.writing = {.before = function + "(", .after = ")"};
  e.formula = {words(function + "("), cell_of(0, cell), words(")")};
  e.passages = {e.formula};
  return e;
}
Explanation explain(const ActivationGradient& op, Inputs inputs, Cell cell) {
  const Operand g = operand(inputs, 1, cell);
  Operand slope = operand(inputs, 0, cell);
  const std::string function = std::string(name(op.kind)) + "′";
  slope.text = function + "(" + written(slope.value) + ")";
  slope.value = activation_slope(op.kind, slope.value);
  Explanation e = only("what flows in × the slope of " + std::string(name(op.kind)), product_term(g, slope));
  e.formula = {cell_of(1, cell), words("·" + function + "("), cell_of(0, cell), words(")")};
  return e;
}

Regions reach(const Activation&, Shapes, std::size_t, Cell cell) {
  return region(cell);
}
Regions reach(const ActivationGradient&, Shapes, std::size_t, Cell cell) {
  return region(cell);
}

Traits traits(const Activation& op, Shapes, const Shape& result) {
  return {.multiply_adds = work(op.kind) * size_of(result), .bends = op.kind == ActivationKind::relu};
}
Traits traits(const ActivationGradient& op, Shapes, const Shape& result) {
  return {.multiply_adds = work(op.kind) * size_of(result)};
}

RowReads cut(Activation&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}
RowReads cut(ActivationGradient&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}

Backward backward(const Activation& op, Shapes, const Shape&) {
  Backward back;
  back.flow(0, back.add(ActivationGradient{op.kind}, {input_of(0), kGradient},
                        std::string("%g ⊙ ") + name(op.kind) + "′(%0)"));
  return back;
}
Backward backward(const ActivationGradient&, Shapes, const Shape&) {
  return no_way_back(kIsGradient);
}

template struct Family<Activation>;
template struct Family<ActivationGradient>;

}  // namespace attn
