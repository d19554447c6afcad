// Scores other than products: of keys that heads share, of terms that cancel, of numbers beyond where tanh
// ends.
#include <cmath>

#include "core/opencl/cases/family.h"
#include "core/opencl/cases/scores.h"

namespace attn::opencl {
namespace {

std::vector<Case> tanh_cases(Scope scope) {
  std::vector<Case> cases;
  for (const double cap : {1.0, 50.0, 1 / 7.0}) {
    append(cases, over_shapes(scope, Tanh{cap}));
    if (scope == Scope::benchmark) break;
  }
  return cases;
}

// tanh is right to 5 units, the quotient to 2.5 (OpenCL 1.2, section 7.4), each at most 2 relative roundings;
// the product and the cap are rounded. A quotient below the normal numbers loses digits, which the cap
// multiplies.
double tanh_tolerance(const Case& c, Cell, double reference, const Arithmetic& arithmetic) {
  const double cap = std::get<Tanh>(c.operation).cap;
  return 17 * kUnit * std::abs(reference) + (1 + cap) * spacing(0, arithmetic);
}

std::vector<Case> squared_distance_cases(Scope scope) {
  return over_shapes(scope, SquaredDistance{}, [](Shape shape, Kind kind, std::uint64_t seed) {
    return std::vector<Tensor>{queries_for(shape, kind, seed), keys_for(shape, kind, seed)};
  });
}

// Each difference is rounded before it is squared.
double squared_distance_tolerance(const Case& c, Cell, double reference, const Arithmetic& arithmetic) {
  return 0.5 * spacing(reference, arithmetic) + 3 * kUnit * reference +
         sum_error(static_cast<double>(c.inputs[0].columns()), reference, arithmetic);
}

std::vector<Case> columns_cases(Scope scope) {
  std::vector<Case> cases;
  for (const auto& [first, count] : {std::pair{std::size_t{0}, std::size_t{2}}, {1, 4}, {0, kScoreWidth}})
    append(cases,
           over_shapes(scope, TakeColumns{first, count}, [](Shape shape, Kind kind, std::uint64_t seed) {
             return std::vector<Tensor>{queries_for(shape, kind, seed)};
           }));
  return cases;
}

std::vector<Case> pair_sum_cases(Scope scope) {
  return over_shapes(scope, PairSum{}, [](Shape shape, Kind kind, std::uint64_t seed) {
    return std::vector<Tensor>{queries_for(shape, kind, seed), keys_for(shape, kind, seed)};
  });
}

std::vector<Case> pair_product_cases(Scope scope) {
  return over_pairs(scope, 300, [](Shape shape, Kind kind, std::uint64_t seed) {
    return PairCase{PairProduct{shape.columns},
                    {numbers(rows_of_pairs(shape), kind, seed), vector_for(kind, seed)}};
  });
}

double pair_product_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const std::size_t keys = std::get<PairProduct>(c.operation).keys, width = c.inputs[1].columns();
  double magnitude = 0;
  for (std::size_t t = 0; t < width; ++t)
    magnitude += std::abs(static_cast<double>(c.inputs[0][{cell.head, cell.row * keys + cell.column, t}]) *
                          static_cast<double>(c.inputs[1][{0, 0, t}]));
  return 0.5 * spacing(reference, arithmetic) + sum_error(static_cast<double>(width), magnitude, arithmetic);
}

std::vector<Case> additive_cases(Scope scope) {
  return over_shapes(scope, AdditiveScore{}, [](Shape shape, Kind kind, std::uint64_t seed) {
    return std::vector<Tensor>{queries_for(shape, kind, seed), keys_for(shape, kind, seed),
                               vector_for(kind, seed)};
  });
}

// The sum in the tanh is rounded, and the tanh is right to 5 units.
double additive_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const std::size_t keys = shared_matrix(cell.head, c.inputs[1].stack(), c.inputs[0].stack());
  const std::size_t width = c.inputs[2].columns();
  double magnitude = 0, off = 0;
  for (std::size_t t = 0; t < width; ++t) {
    const double sum = static_cast<double>(c.inputs[0][{cell.head, cell.row, t}]) +
                       static_cast<double>(c.inputs[1][{keys, cell.column, t}]);
    const double bent = std::tanh(sum), v = std::abs(static_cast<double>(c.inputs[2][{0, 0, t}]));
    magnitude += v * std::abs(bent);
    // Where the slope is nothing, ∞·0 would be NaN.
    const double slope = 1 - bent * bent;
    off += v * (10 * kUnit * std::abs(bent) + spacing(0, arithmetic));
    if (slope > 0) off += v * 1.01 * slope * kUnit * std::abs(sum);
  }
  return 0.5 * spacing(reference, arithmetic) + off +
         sum_error(static_cast<double>(width), magnitude, arithmetic);
}

}  // namespace

Declaration declared(Of<Tanh>) {
  return {Tanh::kName, tanh_cases, tanh_tolerance};
}
Declaration declared(Of<SquaredDistance>) {
  return {SquaredDistance::kName, squared_distance_cases, squared_distance_tolerance};
}
Declaration declared(Of<TakeColumns>) {
  return {TakeColumns::kName, columns_cases, exact};
}
Declaration declared(Of<PairSum>) {
  return {PairSum::kName, pair_sum_cases, rounded_once};
}
Declaration declared(Of<PairProduct>) {
  return {PairProduct::kName, pair_product_cases, pair_product_tolerance};
}
Declaration declared(Of<AdditiveScore>) {
  return {AdditiveScore::kName, additive_cases, additive_tolerance};
}

template Declaration declaration<Tanh>();
template Declaration declaration<SquaredDistance>();
template Declaration declaration<TakeColumns>();
template Declaration declaration<PairSum>();
template Declaration declaration<PairProduct>();
template Declaration declaration<AdditiveScore>();

}  // namespace attn::opencl
