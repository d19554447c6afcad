// What flows back through weights of every rule, zeros among them beside what is special, and through numbers
// of rows with ties and without.
#include "core/operations/weighting_gradient_row.h"

#include <algorithm>
#include <cmath>

#include "core/opencl/cases/family.h"
#include "core/operations/row_norm_row.h"
#include "core/operations/weighting.h"

namespace attn::opencl {
namespace {

constexpr WeightsRule kWeightsRules[]{WeightsRule::softmax, WeightsRule::sparsemax, WeightsRule::sigmoid,
                                      WeightsRule::rectified};

// Rows that add up to 1, but for those that are 0; in one of three nearly all is on one key.
Tensor some_weights(Shape shape, std::uint64_t seed) {
  if (shape.size() == 0) return Tensor(shape, {});
  const Tensor all = with_zeros(weights_of(shape, seed));
  std::vector<float> values(all.values().begin(), all.values().end());
  for (std::size_t row = 0; row < shape.stack * shape.rows; row += 3) {
    const auto of_row = std::span(values).subspan(row * shape.columns, shape.columns);
    for (float& weight : of_row) weight *= 0x1p-20f;
    of_row[row % shape.columns] = 1 - 0x1p-20f;
  }
  return {shape, std::move(values)};
}

std::vector<Case> weights_cases(Scope scope) {
  std::vector<Case> cases;
  for (const WeightsRule rule : kWeightsRules) {
    if (scope == Scope::benchmark && rule != WeightsRule::softmax) continue;
    append(cases,
           over_shapes(scope, WeightsGradient{rule}, [rule](Shape shape, Kind kind, std::uint64_t seed) {
             std::vector<Tensor> inputs{some_weights(shape, seed), numbers(shape, kind, seed + 1000)};
             if (rule == WeightsRule::rectified)
               inputs.push_back(absolute(numbers({shape.stack, shape.rows, 1}, Kind::ordinary, seed + 2000)));
             return inputs;
           }));
    if (scope != Scope::comparison) continue;
    append(cases, over_shapes(scope, WeightsGradient{rule}, [](Shape shape, Kind kind, std::uint64_t seed) {
             const std::size_t rows = std::min<std::size_t>(1, shape.rows);
             return std::vector<Tensor>{some_weights({shape.stack, rows, shape.columns}, seed),
                                        numbers(shape, kind, seed + 1000)};
           }));
    cases.push_back({"weights that are no numbers",
                     WeightsGradient{rule},
                     {numbers({1, 6, 19}, Kind::special, 5), numbers({1, 6, 19}, Kind::ordinary, 6)}});
  }
  return cases;
}

// What a row's sum may be off, before it is taken off a number in two floats, which lose 2^-46 of it.
double sum_loss_of(WeightsRule rule, std::span<const float> a, std::span<const float> g,
                   const Arithmetic& arithmetic) {
  if (rule != WeightsRule::softmax && rule != WeightsRule::sparsemax) return 0;
  double magnitude = 0, support = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    const double weight = static_cast<double>(a[j]),
                 share = rule == WeightsRule::softmax ? weight : weight > 0;
    const double size = std::abs(product_or_zero(share, static_cast<double>(g[j])));
    if (std::isfinite(size)) magnitude += size;
    support += weight > 0;
  }
  const double lost = sum_error(static_cast<double>(a.size()), magnitude, arithmetic) + 0x1p-46 * magnitude;
  return rule == WeightsRule::softmax ? lost : lost / std::max(1.0, support);
}

// What flows in less the sum has two roundings, a product with it one more. Of the sigmoid: the rest to 1 and
// two products. A division is right to 2.5 units (OpenCL 1.2, section 7.4).
std::vector<double> weights_tolerances(const Case& c, std::size_t head, std::size_t row,
                                       std::span<const double> reference, const Arithmetic& arithmetic) {
  const WeightsRule rule = std::get<WeightsGradient>(c.operation).rule;
  const Tensor& weights = c.inputs[0];
  const auto a = row_numbers(weights, head, weights.rows() == 1 ? 0 : row);
  const auto g = row_numbers(c.inputs[1], head, row);
  const double of_sum = sum_loss_of(rule, a, g, arithmetic);
  std::vector<double> tolerances;
  for (std::size_t j = 0; j < a.size(); ++j) {
    const double weight = rule == WeightsRule::softmax ? std::abs(static_cast<double>(a[j])) : 1;
    const double size = std::isfinite(reference[j]) ? std::abs(reference[j]) : 0;
    tolerances.push_back(reference[j] == 0 && a[j] == 0
                             ? 0
                             : weight * of_sum + 5 * kUnit * size + spacing_at(size, arithmetic) +
                                   (1 + weight) * spacing(0, arithmetic));
  }
  return tolerances;
}

// Small whole numbers tie often.
Tensor tied(const Tensor& x) {
  std::vector<float> values;
  for (const float v : x.values()) values.push_back(std::round(v / 4));
  return {x.shape(), std::move(values)};
}

Tensor row_figures(const Tensor& x, FigureRule rule) {
  std::vector<float> column;
  for (std::size_t i = 0; i < x.stack() * x.rows(); ++i) {
    const auto row = row_numbers(x, 0, i);
    const std::vector<double> wide(row.begin(), row.end());
    const RowFigure figure =
        rule == FigureRule::threshold ? RowFigure::threshold : RowFigure::largest_or_zero;
    const double largest = wide.empty() ? -kInfinity : *std::ranges::max_element(wide);
    column.push_back(static_cast<float>(rule == FigureRule::largest ? largest : row_figure(figure, wide)));
  }
  return {{x.stack(), x.rows(), 1}, std::move(column)};
}

std::vector<Case> figure_cases(Scope scope) {
  std::vector<Case> cases;
  for (const FigureRule rule : {FigureRule::largest, FigureRule::largest_or_zero, FigureRule::threshold})
    for (const bool ties : {false, true}) {
      if (ties && scope != Scope::comparison) continue;
      append(cases, over_shapes(scope, FigureGradient{rule}, [=](Shape shape, Kind kind, std::uint64_t seed) {
               const Tensor from = numbers(shape, kind, seed), x = ties ? tied(from) : from;
               return std::vector<Tensor>{x, row_figures(x, rule),
                                          numbers({shape.stack, shape.rows, 1}, Kind::ordinary, seed + 1000)};
             }));
      if (scope == Scope::benchmark) return cases;
    }
  return cases;
}

// A division alone.
double figure_tolerance(const Case&, Cell, double reference, const Arithmetic& arithmetic) {
  return reference == 0 ? 0 : 2.5 * spacing(reference, arithmetic);
}

}  // namespace

Declaration declared(Of<WeightsGradient>) {
  return {WeightsGradient::kName, weights_cases, at_cell<weights_tolerances>, weights_tolerances};
}
Declaration declared(Of<FigureGradient>) {
  return {FigureGradient::kName, figure_cases, figure_tolerance};
}

template Declaration declaration<WeightsGradient>();
template Declaration declaration<FigureGradient>();

}  // namespace attn::opencl
