// The steps of the softmax: rows without keys, ties, NaN and infinities among them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/opencl/cases/family.h"

namespace attn::opencl {
namespace {

// A number for each row, as row_maximum (or the sum of absolute values) would leave it: the operations that
// take one are tested apart from those that make one.
template <class Join>
Tensor by_row(const Tensor& x, float start, Join join) {
  std::vector<float> column;
  for (std::size_t row = 0; row < x.stack() * x.rows(); ++row) {
    float value = start;
    for (const float v : x.values().subspan(row * x.columns(), x.columns())) value = join(value, v);
    column.push_back(value);
  }
  return {{x.stack(), x.rows(), 1}, std::move(column)};
}

Tensor maxima(const Tensor& x) {
  return by_row(x, -std::numeric_limits<float>::infinity(),
                [](float a, float b) { return b > a || std::isnan(b) ? b : a; });
}

std::vector<Case> row_maximum_cases(Scope scope) {
  return over_shapes(scope, RowMaximum{});
}

std::vector<Case> row_sum_cases(Scope scope) {
  return over_shapes(scope, RowSum{});
}

std::vector<Case> exponential_cases(Scope scope) {
  const auto with_maxima = [](Shape shape, Kind kind, std::uint64_t seed) {
    const Tensor x = numbers(shape, kind, seed);
    return std::vector<Tensor>{x, maxima(x)};
  };
  std::vector<Case> cases;
  for (const EmptyRow empty : {EmptyRow::zeros, EmptyRow::nan, EmptyRow::uniform})
    for (const bool hard : {false, true}) {
      append(cases, over_shapes(scope, Exponential{.hard = hard, .empty_row = empty}, with_maxima));
      if (scope == Scope::benchmark || scope == Scope::long_grids) return cases;
    }
  if (scope != Scope::comparison) return cases;
  // A row maximum typed over by the user: exp grows, overflows and meets numbers that aren't below it.
  const Tensor x = numbers({1, 6, 40}, Kind::ordinary, 31);
  const Tensor typed({1, 6, 1}, {-70, 100, 0, std::numeric_limits<float>::infinity(), -95.5f, 85});
  cases.push_back({"typed maxima", Exponential{}, {x, typed}, true});
  append(cases, over_shapes(scope, Exponential{}));
  return cases;
}

std::vector<Case> normalize_cases(Scope scope) {
  auto cases = over_shapes(scope, Normalize{}, [](Shape shape, Kind kind, std::uint64_t seed) {
    const Tensor x = numbers(shape, kind, seed);
    return std::vector<Tensor>{x, by_row(x, 0, [](float a, float b) { return a + std::abs(b); })};
  });
  if (scope != Scope::benchmark)
    for (const bool undefined : {false, true})
      cases.push_back({"sums of 0",
                       Normalize{undefined},
                       {numbers({1, 2, 20}, Kind::special, 32), Tensor({1, 2, 1}, {0, -0.0f})}});
  return cases;
}

double row_sum_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const Tensor& x = c.inputs[0];
  double magnitude = 0;
  for (std::size_t j = 0; j < x.columns(); ++j)
    magnitude += std::abs(static_cast<double>(x[{cell.head, cell.row, j}]));
  return 0.5 * spacing(reference, arithmetic) +
         sum_error(static_cast<double>(x.columns()), magnitude, arithmetic);
}

// exp is right to 3 units (OpenCL 1.2, section 7.4), and a float difference is off by half a unit, which
// the exponential turns into that much of its value.
double exponential_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  if (std::get<Exponential>(c.operation).hard) return 0;
  const double x = c.inputs[0][cell];
  const double maximum = c.inputs.size() > 1 ? c.inputs[1][{cell.head, cell.row, 0}] : 0.0f;
  if (!std::isfinite(x) || !std::isfinite(maximum)) return 0;
  return 3 * spacing(reference, arithmetic) + std::abs(x - maximum) * 0x1p-24 * std::abs(reference);
}

// Division is right to 2.5 units (OpenCL 1.2, section 7.4), correctly rounded only where a device can.
double normalize_tolerance(const Case&, Cell, double reference, const Arithmetic& arithmetic) {
  return 2.5 * spacing(reference, arithmetic);
}

}  // namespace

Declaration declared(Of<RowMaximum>) {
  return {RowMaximum::kName, row_maximum_cases, exact};
}
Declaration declared(Of<Exponential>) {
  return {Exponential::kName, exponential_cases, exponential_tolerance};
}
Declaration declared(Of<RowSum>) {
  return {RowSum::kName, row_sum_cases, row_sum_tolerance};
}
Declaration declared(Of<Normalize>) {
  return {Normalize::kName, normalize_cases, normalize_tolerance};
}

template Declaration declaration<RowMaximum>();
template Declaration declaration<Exponential>();
template Declaration declaration<RowSum>();
template Declaration declaration<Normalize>();

}  // namespace attn::opencl
