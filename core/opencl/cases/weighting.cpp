// Weights of scores: rows with and without keys, ties, NaN and infinities among them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/opencl/cases/family.h"

namespace attn::opencl {
namespace {

std::vector<double> row_at(const Tensor& x, Cell cell) {
  const auto row = x.values().subspan((cell.head * x.rows() + cell.row) * x.columns(), x.columns());
  return {row.begin(), row.end()};
}

Tensor figures_of(const Tensor& x, RowFigure figure) {
  std::vector<float> column;
  for (std::size_t i = 0; i < x.stack() * x.rows(); ++i)
    column.push_back(static_cast<float>(row_figure(figure, row_at(x, {i / x.rows(), i % x.rows(), 0}))));
  return {{x.stack(), x.rows(), 1}, std::move(column)};
}

// Scores within 1 of the largest, with ties, so that supports are large.
Tensor near_scores(Shape shape, std::uint64_t seed) {
  std::vector<float> values;
  const Tensor from = numbers(shape, Kind::ordinary, seed);
  for (const float v : from.values()) values.push_back(std::round(v) / 32);
  return {shape, std::move(values)};
}

std::vector<Case> statistic_cases(Scope scope) {
  std::vector<Case> cases;
  for (const RowFigure figure : {RowFigure::largest_or_zero, RowFigure::keys_left, RowFigure::threshold,
                                 RowFigure::entropy, RowFigure::largest_share}) {
    const auto fitting = [&](const Tensor& x) { return figure == RowFigure::entropy ? absolute(x) : x; };
    append(cases, over_shapes(scope, RowStatistic{figure}, [&](Shape shape, Kind kind, std::uint64_t seed) {
             return std::vector<Tensor>{fitting(numbers(shape, kind, seed))};
           }));
    if (scope != Scope::comparison) continue;
    for (const std::size_t m : {2, 5, 64, 257})
      cases.push_back({"near scores " + std::to_string(m),
                       RowStatistic{figure},
                       {fitting(near_scores({2, 9, m}, 60 + m))}});
  }
  return cases;
}

// How far the largest share may be off: exponentials are right to 3 units (OpenCL 1.2, section 7.4) of a
// difference that is rounded; then the sum and a division.
double share_error(const std::vector<double>& row, double share, const Arithmetic& arithmetic) {
  const double largest = row.empty() ? -INFINITY : *std::ranges::max_element(row);
  if (!std::isfinite(largest)) return 0;
  double sum = 0, off = 0;
  for (const double x : row) {
    const double below = x - largest, e = std::exp(below);
    sum += e;
    if (e > 0) off += e * (6 * kUnit + std::abs(below) * kUnit);
  }
  off += sum_error(static_cast<double>(row.size()), sum, arithmetic);
  return share * off / sum + 3 * spacing(share, arithmetic);
}

// Each logarithm is right to 3 units.
double entropy_error(const std::vector<double>& row, double entropy, const Arithmetic& arithmetic) {
  double magnitude = 0;
  for (const double a : row)
    if (a != 0) magnitude += std::abs(a * std::log(a));
  return 0.5 * spacing(entropy, arithmetic) + 6 * kUnit * magnitude +
         sum_error(static_cast<double>(row.size()), magnitude, arithmetic);
}

double statistic_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  switch (std::get<RowStatistic>(c.operation).figure) {
    case RowFigure::largest_or_zero:
    case RowFigure::keys_left:
      return 0;
    case RowFigure::threshold:
      // Counted from the largest score it is between −1 and 0: there the scores, their sum, the sum less 1
      // and the quotient are rounded, together by 8.5 units of 1; a score that is that near to it may be
      // left out or not.
      return 0.5 * spacing(reference, arithmetic) + 17 * kUnit;
    case RowFigure::entropy:
      return entropy_error(row_at(c.inputs[0], cell), reference, arithmetic);
    case RowFigure::largest_share:
      return share_error(row_at(c.inputs[0], cell), reference, arithmetic);
  }
  return 0;
}

RowFigure figure_for(RowRule rule) {
  switch (rule) {
    case RowRule::minus_maximum:
      return RowFigure::largest_or_zero;
    case RowRule::above:
      return RowFigure::threshold;
    case RowRule::sigmoid:
    case RowRule::rectified:
      break;
  }
  return RowFigure::keys_left;
}

std::vector<Case> by_row_cases(Scope scope) {
  std::vector<Case> cases;
  for (const RowRule rule : {RowRule::minus_maximum, RowRule::above, RowRule::sigmoid, RowRule::rectified}) {
    append(cases, over_shapes(scope, ByRow{rule}, [&](Shape shape, Kind kind, std::uint64_t seed) {
             const Tensor x = numbers(shape, kind, seed);
             return std::vector<Tensor>{x, figures_of(x, figure_for(rule))};
           }));
    if (scope == Scope::benchmark) break;
  }
  const float infinity = std::numeric_limits<float>::infinity();
  if (scope == Scope::comparison)
    cases.push_back({"a row whose maximum is −∞",
                     ByRow{RowRule::minus_maximum},
                     {numbers({1, 2, 9}, Kind::masked, 70), Tensor({1, 2, 1}, {-infinity, infinity})}});
  return cases;
}

// Of the sigmoid: an exponential right to 3 units, a product, a sum, and a division (2.5).
double by_row_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  switch (std::get<ByRow>(c.operation).rule) {
    case RowRule::minus_maximum:
    case RowRule::above:
      return rounded_once(c, cell, reference, arithmetic);
    case RowRule::sigmoid:
      return 7 * spacing(reference, arithmetic);
    case RowRule::rectified:
      break;
  }
  return 2.5 * spacing(reference, arithmetic);
}

std::vector<Case> sum_with_one_cases(Scope scope) {
  return over_shapes(scope, RowSumWithOne{}, [](Shape shape, Kind kind, std::uint64_t seed) {
    const Tensor scores = numbers(shape, Kind::ordinary, seed + 1);
    return std::vector<Tensor>{absolute(numbers(shape, kind, seed)),
                               figures_of(scores, RowFigure::largest_or_zero)};
  });
}

double sum_with_one_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const double one = std::exp(-static_cast<double>(c.inputs[1][cell]));
  double magnitude = one;
  for (const double x : row_at(c.inputs[0], cell)) magnitude += std::abs(x);
  return 0.5 * spacing(reference, arithmetic) + 3 * spacing(one, arithmetic) +
         sum_error(static_cast<double>(c.inputs[0].columns()) + 1, magnitude, arithmetic);
}

}  // namespace

Declaration declared(Of<RowStatistic>) {
  return {RowStatistic::kName, statistic_cases, statistic_tolerance};
}
Declaration declared(Of<ByRow>) {
  return {ByRow::kName, by_row_cases, by_row_tolerance};
}
Declaration declared(Of<RowSumWithOne>) {
  return {RowSumWithOne::kName, sum_with_one_cases, sum_with_one_tolerance};
}

template Declaration declaration<RowStatistic>();
template Declaration declaration<ByRow>();
template Declaration declaration<RowSumWithOne>();

}  // namespace attn::opencl
