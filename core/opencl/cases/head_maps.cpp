// Weights of several heads at once: numbers of every kind where the operation takes them, shares elsewhere.
#include <algorithm>
#include <cmath>

#include "core/opencl/cases/family.h"

namespace attn::opencl {
namespace {

std::vector<Case> share_cases(Scope scope) {
  return over_shapes(scope, PatternShare{}, [](Shape shape, Kind kind, std::uint64_t seed) {
    return std::vector<Tensor>{numbers(shape, kind, seed),
                               zeros_and_ones({3, shape.rows, shape.columns}, seed + 1, true)};
  });
}

double share_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  double magnitude = 0;
  for (std::size_t j = 0; j < c.inputs[0].columns(); ++j)
    magnitude += std::abs(
        static_cast<double>(c.inputs[0][{cell.head, cell.row, j}] * c.inputs[1][{cell.column, cell.row, j}]));
  return 0.5 * spacing(reference, arithmetic) +
         sum_error(static_cast<double>(c.inputs[0].columns()), magnitude, arithmetic);
}

std::vector<Case> across_cases(Scope scope) {
  std::vector<Case> cases;
  for (const auto figure : {AcrossHeads::mean, AcrossHeads::maximum, AcrossHeads::spread})
    append(cases, over_shapes(scope, AcrossHeads{figure}));
  return cases;
}

// Of the mean: the sum, a quotient (2.5 units; OpenCL 1.2, section 7.4). Of the spread: a mean that is off
// moves it by no more than that; differences, quotient and root.
double across_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const Tensor& x = c.inputs[0];
  double magnitude = 0, largest = 0;
  for (std::size_t r = 0; r < x.stack(); ++r) {
    const double size = std::abs(static_cast<double>(x[{r, cell.row, cell.column}]));
    magnitude += size, largest = std::max(largest, size);
  }
  const auto heads = static_cast<double>(x.stack());
  switch (std::get<AcrossHeads>(c.operation).figure) {
    case AcrossHeads::maximum:
      return 0;
    case AcrossHeads::mean:
      return 4 * spacing(reference, arithmetic) + sum_error(heads, magnitude, arithmetic) / heads;
    case AcrossHeads::spread:
      break;
  }
  return 12 * kUnit * (largest + reference) + 2 * spacing(0, arithmetic);
}

std::vector<Case> difference_cases(Scope scope) {
  std::vector<Case> cases;
  std::uint64_t seed = 30;
  for (const Shape& shape : shapes(scope))
    for (const Kind kind : kinds(scope, shape))
      cases.push_back({to_string(shape) + " " + name(kind),
                       HeadDifference{shape.stack - 1},
                       {numbers(shape, kind, ++seed)},
                       kind == Kind::subnormal});
  return cases;
}

std::vector<Case> likeness_cases(Scope scope) {
  std::vector<Case> cases = over_shapes(scope, HeadLikeness{});
  append(cases, over_shapes(scope, HeadLikeness{HeadLikeness::overlap},
                            [](Shape shape, Kind kind, std::uint64_t seed) {
                              return std::vector<Tensor>{absolute(numbers(shape, kind, seed))};
                            }));
  return cases;
}

// Both are shares of 1: sums of terms that add up to at most 1, lengths (3 units of a root), two quotients.
double likeness_tolerance(const Case& c, Cell, double reference, const Arithmetic& arithmetic) {
  const auto count = static_cast<double>(c.inputs[0].rows() * c.inputs[0].columns());
  return 14 * kUnit * std::abs(reference) + 4 * sum_error(count, 1, arithmetic) + spacing(0, arithmetic);
}

std::vector<Case> part_length_cases(Scope scope) {
  std::vector<Case> cases;
  std::uint64_t seed = 70;
  for (const Shape& shape : shapes(scope))
    for (const Kind kind : kinds(scope, shape))
      for (const std::size_t columns : {std::size_t{1}, std::size_t{37}})
        cases.push_back({to_string(shape) + " to " + std::to_string(columns) + " " + name(kind),
                         PartLength{},
                         {numbers(shape, kind, ++seed),
                          numbers({1, shape.stack * shape.columns, columns}, Kind::ordinary, ++seed)},
                         kind == Kind::subnormal});
  return cases;
}

// What the parts may be off, as one vector; then squares, their sum and a root.
double part_length_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const Tensor &x = c.inputs[0], &w = c.inputs[1];
  double squares = 0;
  for (std::size_t j = 0; j < w.columns(); ++j) {
    double magnitude = 0;
    for (std::size_t k = 0; k < x.columns(); ++k)
      magnitude += std::abs(static_cast<double>(x[{cell.head, cell.row, k}]) *
                            static_cast<double>(w[{0, cell.head * x.columns() + k, j}]));
    const double off =
        spacing(0, arithmetic) + sum_error(static_cast<double>(x.columns()), magnitude, arithmetic);
    squares += off * off;
  }
  return std::sqrt(squares) + 10 * kUnit * reference + 2 * spacing(0, arithmetic);
}

}  // namespace

Declaration declared(Of<PatternShare>) {
  return {PatternShare::kName, share_cases, share_tolerance};
}
Declaration declared(Of<AcrossHeads>) {
  return {AcrossHeads::kName, across_cases, across_tolerance};
}
Declaration declared(Of<HeadDifference>) {
  return {HeadDifference::kName, difference_cases, rounded_once};
}
Declaration declared(Of<HeadLikeness>) {
  return {HeadLikeness::kName, likeness_cases, likeness_tolerance};
}
Declaration declared(Of<PartLength>) {
  return {PartLength::kName, part_length_cases, part_length_tolerance};
}

template Declaration declaration<PatternShare>();
template Declaration declaration<AcrossHeads>();
template Declaration declaration<HeadDifference>();
template Declaration declaration<HeadLikeness>();
template Declaration declaration<PartLength>();

}  // namespace attn::opencl
