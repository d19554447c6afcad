// Steps of learning: the first, where moments are of nothing, and late ones; with decay and without, warming
// up and not; gradients of all sizes, and 0.
#include "core/operations/optimizer.h"

#include <cmath>

#include "core/opencl/cases/family.h"

namespace attn::opencl {
namespace {

// Of an even number of matrices, m and v: the second is of squares.
Tensor moments_of(const Shape& parameter, Kind kind, std::uint64_t seed) {
  const Tensor m = numbers(parameter, kind, seed), v = absolute(numbers(parameter, kind, seed + 500));
  std::vector<float> values(m.values().begin(), m.values().end());
  values.insert(values.end(), v.values().begin(), v.values().end());
  return {{2, parameter.rows, parameter.columns}, std::move(values)};
}

// Squares of larger ones leave the range of float.
std::vector<Kind> learnt_kinds(Scope scope, const Shape& shape) {
  std::vector<Kind> all = kinds(scope, shape);
  std::erase_if(
      all, [](Kind kind) { return kind == Kind::large || kind == Kind::special || kind == Kind::masked; });
  return all;
}

template <class Make>
std::vector<Case> learnt_cases(Scope scope, const std::string& words, const Operation& op, Make make) {
  std::vector<Case> cases;
  for (const Shape& of : shapes(scope)) {
    const Shape shape{1, of.rows, of.columns};
    for (const Kind kind : learnt_kinds(scope, shape))
      cases.push_back({words + " of " + to_string(shape) + " " + name(kind), op,
                       make(shape, kind, 900 + 7 * cases.size()), kind == Kind::subnormal});
  }
  return cases;
}

std::vector<Case> moments_cases(Scope scope) {
  std::vector<Case> cases;
  for (const GradientMoments& op :
       {GradientMoments{}, GradientMoments{.beta1 = 0, .beta2 = 0.5, .decay = 0.1}})
    append(cases, learnt_cases(scope, "moments, decay " + std::to_string(op.decay), op,
                               [](const Shape& shape, Kind kind, std::uint64_t seed) {
                                 return std::vector<Tensor>{moments_of(shape, kind, seed),
                                                            numbers(shape, kind, seed + 1),
                                                            numbers(shape, kind, seed + 2)};
                               }));
  return cases;
}

std::vector<Case> step_cases(Scope scope) {
  std::vector<Case> cases;
  const std::vector<ParameterStep> all{
      {},
      {.rate = 0.1, .beta1 = 0, .beta2 = 0.98, .epsilon = 1e-6, .warm_up = 10},
      {.kind = OptimizerKind::adamw, .rate = 0.01, .decay = 1},
      {.kind = OptimizerKind::sgd, .rate = 0.5, .decay = 0.01, .warm_up = 100}};
  for (const ParameterStep& op : all)
    for (const float step : {0.0f, 1.0f, 999.0f, 3e6f})
      append(cases, learnt_cases(scope, "step " + std::to_string(step), op,
                                 [&](const Shape& shape, Kind kind, std::uint64_t seed) {
                                   return std::vector<Tensor>{numbers(shape, kind, seed),
                                                              op.kind == OptimizerKind::sgd
                                                                  ? numbers(shape, kind, seed + 1)
                                                                  : moments_of(shape, kind, seed + 1),
                                                              Tensor({1, 1, 1}, {step})};
                                 }));
  return cases;
}

// Two products, each of a factor that is rounded, and their sum; of g with a decay two roundings more, twice
// in a square.
double moments_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const auto& op = std::get<GradientMoments>(c.operation);
  const Cell at{0, cell.row, cell.column};
  const double g = c.inputs[1][at], decay = op.decay * std::abs(static_cast<double>(c.inputs[2][at]));
  const double size = std::abs(g) + decay, before = std::abs(static_cast<double>(c.inputs[0][cell]));
  const double beta = cell.head == 0 ? op.beta1 : op.beta2;
  const double part = (1 - beta) * (cell.head == 0 ? size : size * size);
  constexpr double kLeast = 0x1p-120;  // what is less becomes 0
  return kUnit * (3 * beta * before + 8 * part) + spacing(reference, arithmetic) + kLeast;
}

// 1 − βᵗ is right to 4 units, as are its square root's argument and that itself, the quotient to 3 more
// (OpenCL 1.2, section 7.4), t·log β to 2 of it: e to that of a large exponent is nothing beside 1.
double step_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const auto& op = std::get<ParameterStep>(c.operation);
  const double t = static_cast<double>(c.inputs[2][{0, 0, 0}]) + 1, p = c.inputs[0][cell];
  const double second = op.kind == OptimizerKind::sgd ? 0 : c.inputs[1][{1, cell.row, cell.column}];
  ParameterStep alone = op;
  alone.decay = 0;
  const double moved = std::abs(stepped(alone, 0, c.inputs[1][cell], second, t));
  const double decayed = std::abs(rate_at(op, t) * op.decay * p);
  // A subnormal moment, or what it is divided by, may count as 0.
  const double first = op.kind == OptimizerKind::sgd ? 0 : std::abs(static_cast<double>(c.inputs[1][cell]));
  const double tiny = std::min(first, second) < 0x1p-120 ? moved : 0;
  return kUnit * (30 * moved + 6 * decayed + 2 * std::abs(p)) + (op.kind == OptimizerKind::sgd ? 0 : tiny) +
         spacing(reference, arithmetic) + 4 * spacing(0, arithmetic);
}

}  // namespace

Declaration declared(Of<Increment>) {
  return {Increment::kName, [](Scope scope) { return over_shapes(scope, Increment{}); }, rounded_once};
}
Declaration declared(Of<GradientMoments>) {
  return {GradientMoments::kName, moments_cases, moments_tolerance};
}
Declaration declared(Of<ParameterStep>) {
  return {ParameterStep::kName, step_cases, step_tolerance};
}

template Declaration declaration<Increment>();
template Declaration declaration<GradientMoments>();
template Declaration declaration<ParameterStep>();

}  // namespace attn::opencl
