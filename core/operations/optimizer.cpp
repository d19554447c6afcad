// A step of learning: its arithmetic in double, number by number, and in words.
#include "core/operations/optimizer.h"

#include <algorithm>
#include <cmath>

#include "core/operations/family.h"
#include "core/operations/written.h"
#include "core/system/error.h"

namespace attn {
namespace {

constexpr const char* kLearns = "it is a step of learning, and nothing flows back through that";

// The other number of a pair of moments.
Cell other_moment(Cell cell) {
  return {1 - cell.head, cell.row, cell.column};
}
Cell in_parameter(Cell cell) {
  return {0, cell.row, cell.column};
}

Shape in_pairs(const Shape& parameter) {
  return {2 * parameter.stack, parameter.rows, parameter.columns};
}

void check_pair(const Shape& moments, const Shape& parameter) {
  if (parameter.stack != 1 || moments != in_pairs(parameter))
    throw Error("moments of " + to_string(moments) + " do not fit a parameter of " + to_string(parameter) +
                ": there are two of each number");
}

void check_same(const Shape& gradient, const Shape& parameter) {
  if (gradient != parameter)
    throw Error("a gradient of " + to_string(gradient) + " does not fit a parameter of " +
                to_string(parameter));
}

// g, with the decay that is added to it.
double decayed(const GradientMoments& op, double g, double p) {
  return op.decay == 0 ? g : g + op.decay * p;
}

}  // namespace

double rate_at(const ParameterStep& op, double t) {
  return op.warm_up == 0 ? op.rate : op.rate * std::min(1.0, t / static_cast<double>(op.warm_up));
}
double first_moment(const GradientMoments& op, double m, double g) {
  return op.beta1 * m + (1 - op.beta1) * g;
}
double second_moment(const GradientMoments& op, double v, double g) {
  return op.beta2 * v + (1 - op.beta2) * g * g;
}

double stepped(const ParameterStep& op, double p, double m, double v, double t) {
  const double rate = rate_at(op, t);
  if (op.kind == OptimizerKind::sgd) return p - rate * (m + op.decay * p);
  if (op.kind == OptimizerKind::adamw) p *= 1 - rate * op.decay;
  const double m_hat = m / (1 - std::pow(op.beta1, t)), v_hat = v / (1 - std::pow(op.beta2, t));
  return p - rate * m_hat / (std::sqrt(v_hat) + op.epsilon);
}

Shape result_shape(const Increment&, Shapes inputs) {
  return inputs[0];
}
Shape result_shape(const GradientMoments&, Shapes inputs) {
  check_same(inputs[1], inputs[2]);
  check_pair(inputs[0], inputs[2]);
  return inputs[0];
}
Shape result_shape(const ParameterStep& op, Shapes inputs) {
  if (op.kind == OptimizerKind::sgd)
    check_same(inputs[1], inputs[0]);
  else
    check_pair(inputs[1], inputs[0]);
  if (inputs[2] != Shape{1, 1, 1}) throw Error("a step of " + to_string(inputs[2]) + " is not one number");
  return inputs[0];
}

Explanation explain(const Increment&, Inputs inputs, Cell cell) {
  const Operand x = operand(inputs, 0, cell);
  return sum_of("one more",
                {{.operands = {x}, .value = x.value}, {.operands = {constant(1, "1")}, .value = 1}});
}

Explanation explain(const GradientMoments& op, Inputs inputs, Cell cell) {
  const Operand before = operand(inputs, 0, cell), p = operand(inputs, 2, in_parameter(cell));
  Operand g = operand(inputs, 1, in_parameter(cell));
  g.value = decayed(op, g.value, p.value);
  const bool second = cell.head % 2 == 1;
  const double beta = second ? op.beta2 : op.beta1;
  const Operand kept = constant(beta, second ? "β₂" : "β₁"),
                taken = constant(1 - beta, second ? "1 − β₂" : "1 − β₁");
  std::vector<Operand> factors{taken, g};
  if (second) factors.push_back(g);
  const double part = second ? (1 - beta) * g.value * g.value : (1 - beta) * g.value;
  return sum_of(second ? "β₂·v + (1 − β₂)·g²" : "β₁·m + (1 − β₁)·g",
                {{.operands = {kept, before}, .value = beta * before.value},
                 {.operands = std::move(factors), .value = part}});
}

namespace {

// A factor and numbers of inputs.
Term factor_term(double factor, std::string text, std::vector<Operand> others) {
  Term term{.operands = {constant(factor, std::move(text))}, .value = factor};
  for (Operand& other : others) term.value *= other.value, term.operands.push_back(std::move(other));
  return term;
}

}  // namespace

Explanation explain(const ParameterStep& op, Inputs inputs, Cell cell) {
  const double t = static_cast<double>(inputs[2][{0, 0, 0}]) + 1, rate = rate_at(op, t);
  const Operand p = operand(inputs, 0, cell), by = operand(inputs, 1, cell);
  const std::string at = ", at step " + written(t) + " and rate " + brief(rate);
  if (op.kind == OptimizerKind::sgd)
    return sum_of("p − rate·(g + decay·p)" + at, {factor_term(1 - rate * op.decay, "1 − rate·decay", {p}),
                                                  factor_term(-rate, "−rate", {by})});
  const bool shrinks = op.kind == OptimizerKind::adamw && op.decay != 0;
  const double v_hat = static_cast<double>(inputs[1][other_moment(cell)]) / (1 - std::pow(op.beta2, t));
  const Operand over = constant(1 / (std::sqrt(v_hat) + op.epsilon), "1 ÷ (√v′ + ε)");
  return sum_of((shrinks ? "p·(1 − rate·decay) − rate·m′ ÷ (√v′ + ε)" : "p − rate·m′ ÷ (√v′ + ε)") + at,
                {factor_term(shrinks ? 1 - rate * op.decay : 1, shrinks ? "1 − rate·decay" : "1", {p}),
                 factor_term(-rate / (1 - std::pow(op.beta1, t)), "−rate ÷ (1 − β₁^t)", {by, over})});
}

Regions reach(const Increment&, Shapes, std::size_t, Cell cell) {
  return region(cell);
}
Regions reach(const GradientMoments&, Shapes, std::size_t input, Cell cell) {
  if (input == 0) return region(cell);
  return {{0, cell.row, cell.column}, {2, cell.row + 1, cell.column + 1}};
}
Regions reach(const ParameterStep&, Shapes inputs, std::size_t input, Cell cell) {
  if (input < 2) return region(in_parameter(cell));
  return {{0, 0, 0}, {1, inputs[0].rows, inputs[0].columns}};
}

Traits traits(const Increment&, Shapes, const Shape& result) {
  return {.multiply_adds = size_of(result), .in_place = true};
}
Traits traits(const GradientMoments&, Shapes, const Shape& result) {
  return {.multiply_adds = 3 * size_of(result), .counted = 3 * size_of(result), .in_place = true};
}
Traits traits(const ParameterStep&, Shapes, const Shape& result) {
  return {.multiply_adds = 12 * size_of(result), .counted = 8 * size_of(result), .in_place = true};
}

RowReads cut(Increment&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}
RowReads cut(GradientMoments&, Shapes inputs, const RowRange&) {
  return same_rows(inputs);
}
RowReads cut(ParameterStep&, Shapes inputs, const RowRange&) {
  return same_rows(inputs, {2});
}

Backward backward(const Increment&, Shapes, const Shape&) {
  return no_way_back(kLearns);
}
Backward backward(const GradientMoments&, Shapes, const Shape&) {
  return no_way_back(kLearns);
}
Backward backward(const ParameterStep&, Shapes, const Shape&) {
  return no_way_back(kLearns);
}

template struct Family<Increment>;
template struct Family<GradientMoments>;
template struct Family<ParameterStep>;

}  // namespace attn
