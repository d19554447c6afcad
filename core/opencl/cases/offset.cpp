// Biases by distance, and numbers by offset and back, with rules that clip and that share buckets.
#include <array>
#include <cmath>

#include "core/opencl/cases/family.h"

namespace attn::opencl {
namespace {

// Places of the first query: behind a cache, and before the first key.
constexpr std::array<std::ptrdiff_t, 3> kFirst{2, 30, -3};

const std::vector<OffsetRule>& rules() {
  static const std::vector<OffsetRule> all{Clip{3}, Clip{0}, Buckets{8, 20, false}, Buckets{5, 9, true}};
  return all;
}

std::vector<Case> distance_bias_cases(Scope scope) {
  std::vector<Case> cases;
  for (const Shape& shape : shapes(scope))
    cases.push_back({to_string(shape), DistanceBias{shape.stack, shape.rows, shape.columns}, {}});
  if (scope != Scope::comparison) return cases;
  for (const std::size_t heads : {6, 12, 64}) cases.push_back({"heads", DistanceBias{heads, 5, 9}, {}});
  for (const std::ptrdiff_t first : kFirst) cases.push_back({"apart", DistanceBias{3, 5, 9, first}, {}});
  return cases;
}

std::vector<Case> by_offset_cases(Scope scope) {
  std::vector<Case> cases;
  for (const OffsetRule& rule : rules())
    for (const Shape& shape : shapes(scope))
      for (const Kind kind : kinds(scope, shape))
        for (const std::size_t rows : {std::size_t{1}, shape.rows})
          cases.push_back({to_string(shape) + " " + name(kind) + " of " + std::to_string(rows) + " rows",
                           ByOffset{rule, shape.rows, shape.columns},
                           {numbers({shape.stack, rows, index_count(rule)}, kind, 41)},
                           kind == Kind::subnormal});
  if (scope == Scope::comparison)
    for (const OffsetRule& rule : rules())
      for (const std::ptrdiff_t first : kFirst)
        cases.push_back(
            {"apart", ByOffset{rule, 5, 9, first}, {numbers({2, 5, index_count(rule)}, Kind::ordinary, 43)}});
  return cases;
}

std::vector<Case> sum_by_offset_cases(Scope scope) {
  std::vector<Case> cases;
  for (const OffsetRule& rule : rules()) append(cases, over_shapes(scope, SumByOffset{rule}));
  if (scope == Scope::comparison)
    for (const OffsetRule& rule : rules())
      for (const std::ptrdiff_t first : kFirst)
        cases.push_back({"apart", SumByOffset{rule, first}, {numbers({2, 5, 9}, Kind::ordinary, 44)}});
  return cases;
}

double sum_by_offset_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const Tensor& x = c.inputs[0];
  const auto& op = std::get<SumByOffset>(c.operation);
  double magnitude = 0;
  for (std::size_t j = 0; j < x.columns(); ++j)
    if (index_of(op.rule, static_cast<std::ptrdiff_t>(j) - static_cast<std::ptrdiff_t>(cell.row) -
                              op.first) == cell.column)
      magnitude += std::abs(static_cast<double>(x[{cell.head, cell.row, j}]));
  return 0.5 * spacing(reference, arithmetic) +
         sum_error(static_cast<double>(x.columns()), magnitude, arithmetic);
}

}  // namespace

Declaration declared(Of<DistanceBias>) {
  return {DistanceBias::kName, distance_bias_cases, rounded_once};
}
Declaration declared(Of<ByOffset>) {
  return {ByOffset::kName, by_offset_cases, exact};
}
Declaration declared(Of<SumByOffset>) {
  return {SumByOffset::kName, sum_by_offset_cases, sum_by_offset_tolerance};
}

template Declaration declaration<DistanceBias>();
template Declaration declaration<ByOffset>();
template Declaration declaration<SumByOffset>();

}  // namespace attn::opencl
