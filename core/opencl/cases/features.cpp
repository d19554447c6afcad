// Features of numbers of every kind, with a scale and without, of few and many directions; what flows back.
#include "core/operations/features_row.h"

#include <cmath>

#include "core/opencl/cases/family.h"
#include "core/operations/row_norm_row.h"

namespace attn::opencl {
namespace {

constexpr double kFeatureScale = 0.05;     // of what meets directions: exponents of ordinary size
constexpr double kExpUnits = 3;            // exp is right to so many (OpenCL 1.2, section 7.4)
constexpr double kOfScale = 1.01 * kUnit;  // what scaling a number loses of it

// Of ordinary size, however large the others are.
Tensor directions_for(Shape x, std::size_t count, std::uint64_t seed) {
  const Tensor from = numbers({1, x.columns, count}, Kind::ordinary, seed);
  std::vector<float> values;
  for (const float w : from.values()) values.push_back(w / 4);
  return {from.shape(), std::move(values)};
}

// Below, at and above the directions that are taken together.
std::size_t directions_of(Scope scope, std::uint64_t seed) {
  constexpr std::size_t kCounts[]{37, 1, 5, 70, 64};
  if (scope == Scope::benchmark) return 64;
  return scope == Scope::comparison || scope == Scope::shapes ? kCounts[seed % std::size(kCounts)] : 37;
}

std::vector<Case> map_cases(Scope scope) {
  std::vector<Case> cases;
  for (const FeatureKind kind : {FeatureKind::elu_plus_one, FeatureKind::relu})
    for (const double scale : {1.0, -0.3})
      if (scale == 1 || scope == Scope::self_test || scope == Scope::comparison)
        append(cases, over_shapes(scope, FeatureMap{kind, scale}));
  append(cases, over_shapes(scope, FeatureMap{FeatureKind::random, kFeatureScale},
                            [&](Shape shape, Kind kind, std::uint64_t seed) {
                              const Tensor x = numbers(shape, kind, seed);
                              return std::vector{x, directions_for(shape, directions_of(scope, seed), seed)};
                            }));
  if (scope != Scope::comparison) return cases;
  const Tensor one({1, 2, 3}, {0, 0, 0, 1, -1, 0.5f});
  cases.push_back(
      {"random without a scale", FeatureMap{FeatureKind::random}, {one, directions_for(one.shape(), 40, 3)}});
  return cases;
}

// As features are: none below 0, some 0.
Tensor features_for(Shape shape, Kind kind, std::uint64_t seed) {
  const Tensor from = with_zeros(numbers(shape, kind, seed));
  std::vector<float> values;
  for (const float y : from.values()) values.push_back(std::abs(y) / 5);
  return {shape, std::move(values)};
}

std::vector<Case> map_gradient_cases(Scope scope) {
  std::vector<Case> cases;
  for (const FeatureKind kind : {FeatureKind::elu_plus_one, FeatureKind::relu})
    append(cases, over_shapes(scope, FeatureMapGradient{{kind, kind == FeatureKind::relu ? -0.3 : 1}},
                              [](Shape shape, Kind kind_of, std::uint64_t seed) {
                                return std::vector{numbers(shape, kind_of, seed),
                                                   features_for(shape, kind_of, seed),
                                                   with_zeros(numbers(shape, kind_of, seed + 1000))};
                              }));
  append(cases, over_shapes(scope, FeatureMapGradient{{FeatureKind::random, kFeatureScale}},
                            [&](Shape shape, Kind kind, std::uint64_t seed) {
                              const std::size_t count = directions_of(scope, seed);
                              const Shape features{shape.stack, shape.rows, count};
                              const Kind flows = kind == Kind::large ? Kind::ordinary : kind;
                              return std::vector{numbers(shape, kind, seed),
                                                 directions_for(shape, count, seed),
                                                 features_for(features, Kind::ordinary, seed + 1000),
                                                 with_zeros(numbers(features, flows, seed + 2000))};
                            }));
  return cases;
}

// x + 1 rounds once, exp of a rounded number is off by that number's own error, in relative terms.
double plain_tolerance(const FeatureMap& op, double x, double reference, const Arithmetic& arithmetic) {
  const double of_number =
      op.scale == 1 || !std::isfinite(x) ? 0 : kOfScale * std::abs(x) + spacing(0, arithmetic);
  if (op.kind == FeatureKind::relu) return of_number;
  if (x > 0) return of_number + 0.5 * spacing(reference, arithmetic);
  if (reference == 0) return kExpUnits * spacing(0, arithmetic);
  return kExpUnits * spacing(reference, arithmetic) + std::expm1(of_number) * reference;
}

// Numbers are scaled, products summed, the sums' difference is rounded: so far may the exponent be off, and
// the feature by that much of itself. exp and the factor, itself rounded, follow.
double random_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const auto& op = std::get<FeatureMap>(c.operation);
  const auto row = row_numbers(c.inputs[0], cell.head, cell.row);
  double along = 0, squares = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const double x = op.scale * static_cast<double>(row[i]);
    along += std::abs(x * static_cast<double>(c.inputs[1][{0, i, cell.column}])), squares += x * x;
  }
  if (!std::isfinite(squares) || reference == 0) return spacing(0, arithmetic);
  const double exponent = random_exponent(op.scale, row, c.inputs[1], cell.column).value();
  const double of_scale = op.scale == 1 ? 0 : kOfScale, count = static_cast<double>(row.size());
  const double lost = of_scale * (along + squares) + sum_error(count, along, arithmetic) +
                      sum_error(count, squares / 2, arithmetic) + 4 * kUnit * kUnit * (along + squares) +
                      kUnit * std::abs(exponent);
  return std::expm1(lost) * reference + (kExpUnits + 1.5) * spacing(reference, arithmetic) +
         2 * spacing(0, arithmetic);
}

double map_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const auto& op = std::get<FeatureMap>(c.operation);
  if (op.kind == FeatureKind::random) return random_tolerance(c, cell, reference, arithmetic);
  return plain_tolerance(op, op.scale * static_cast<double>(c.inputs[0][cell]), reference, arithmetic);
}

// Of each direction what flows in times the feature is rounded, and how far the direction is, of a scaled
// number; then the sum, and its scale.
double random_flow_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const double scale = std::get<FeatureMapGradient>(c.operation).forward.scale;
  const double x = scale * static_cast<double>(c.inputs[0][cell]), smallest = spacing(0, arithmetic);
  double lost = 0, size = 0;
  for (std::size_t r = 0; r < c.inputs[1].columns(); ++r) {
    const Cell at{cell.head, cell.row, r};
    const double passed =
        std::abs(static_cast<double>(c.inputs[2][at]) * static_cast<double>(c.inputs[3][at]));
    const double away = std::abs(static_cast<double>(c.inputs[1][{0, cell.column, r}]) - x);
    if (!std::isfinite(away)) continue;  // nothing passes a feature that is 0
    lost += passed * (2 * kUnit * away + kOfScale * std::abs(x)) + smallest * (away + passed),
        size += passed * away;
  }
  lost += sum_error(static_cast<double>(c.inputs[1].columns()), size, arithmetic);
  return std::abs(scale) * lost + 2 * spacing(reference, arithmetic) + smallest;
}

// A product with the slope, and one with the scale.
double map_gradient_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const auto& op = std::get<FeatureMapGradient>(c.operation);
  if (op.forward.kind == FeatureKind::random) return random_flow_tolerance(c, cell, reference, arithmetic);
  return 3 * kUnit * std::abs(reference) + (1 + std::abs(op.forward.scale)) * spacing(0, arithmetic);
}

}  // namespace

Declaration declared(Of<FeatureMap>) {
  return {FeatureMap::kName, map_cases, map_tolerance};
}

Declaration declared(Of<FeatureMapGradient>) {
  return {FeatureMapGradient::kName, map_gradient_cases, map_gradient_tolerance};
}

template Declaration declaration<FeatureMap>();
template Declaration declaration<FeatureMapGradient>();

}  // namespace attn::opencl
