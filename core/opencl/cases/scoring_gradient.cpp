// The way back through tanh, columns and rows of pairs: results near the cap, columns at both ends, sums of
// heads, and pairs into which nothing flows, with anything in them.
#include <cmath>

#include "core/opencl/cases/family.h"
#include "core/opencl/cases/scores.h"
#include "core/operations/score_pairs.h"
#include "core/operations/scoring.h"

namespace attn::opencl {
namespace {

std::vector<Case> tanh_gradient_cases(Scope scope) {
  std::vector<Case> cases;
  for (const double cap : {1.0, 50.0, 1 / 7.0}) {
    append(cases, over_shapes(scope, TanhGradient{cap}, [cap](Shape shape, Kind kind, std::uint64_t seed) {
             const Tensor given = numbers(shape, kind, seed);
             std::vector<float> bent;
             for (const float x : given.values()) bent.push_back(static_cast<float>(tanh_value({cap}, x)));
             return std::vector<Tensor>{Tensor(shape, std::move(bent)), numbers(shape, kind, seed + 1000)};
           }));
    if (scope == Scope::benchmark) break;
  }
  return cases;
}

// Both quotients are right to 2.5 units, 5 roundings (OpenCL 1.2, section 7.4); the cap in one float, twice,
// what is left of it, twice, and two products are eight more. In two floats the cap is right to 2^-49.
double tanh_gradient_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const double flows = std::abs(static_cast<double>(c.inputs[1][cell]));
  return 18.1 * kUnit * std::abs(reference) + 0x1p-47 * flows + spacing(0, arithmetic);
}

std::vector<Case> put_columns_cases(Scope scope) {
  std::vector<Case> cases;
  for (const PutColumns& op : {PutColumns{2, 9}, PutColumns{0, kScoreWidth}, PutColumns{4, 9}})
    append(cases, over_shapes(scope, op, [](Shape shape, Kind kind, std::uint64_t seed) {
             return std::vector<Tensor>{queries_for(shape, kind, seed)};
           }));
  return cases;
}

std::vector<Case> pair_sum_gradient_cases(Scope scope) {
  std::vector<Case> cases;
  for (const ScoreSide of : {ScoreSide::queries, ScoreSide::keys})
    append(cases, over_pairs(scope, 500, [of](Shape shape, Kind kind, std::uint64_t seed) {
             const std::size_t summed = of == ScoreSide::keys ? shape.stack / heads_of_keys(shape) : 1;
             return PairCase{PairSumGradient{of, shape.columns, summed},
                             {numbers(rows_of_pairs(shape), kind, seed)}};
           }));
  return cases;
}

double pair_sum_gradient_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const auto& op = std::get<PairSumGradient>(c.operation);
  const ScorePairs pairs = score_pairs(op, c.inputs[0].shape());
  double magnitude = 0;
  for (std::size_t i = 0; i < pairs.count(); ++i)
    magnitude += std::abs(static_cast<double>(c.inputs[0][pairs.at(cell, i).row(op.keys)]));
  return 0.5 * spacing(reference, arithmetic) +
         sum_error(static_cast<double>(pairs.count()), magnitude, arithmetic);
}

// Products with numbers of pairs are of the range of float: over all pairs none is added at another scale.
std::vector<Case> pair_product_gradient_cases(Scope scope) {
  std::vector<Case> cases;
  append(cases, over_pairs(scope, 600, [](Shape shape, Kind kind, std::uint64_t seed) {
           return PairCase{PairProductGradient{ScoreSide::queries},
                           {flows_for(shape, kind, seed), vector_for(kind, seed)}};
         }));
  append(cases, over_pairs(scope, 700, [](Shape shape, Kind kind, std::uint64_t seed) {
           const Kind of_pairs = kind == Kind::large ? Kind::ordinary : kind;
           return PairCase{PairProductGradient{ScoreSide::vector},
                           {flows_for(shape, kind, seed), numbers(rows_of_pairs(shape), of_pairs, seed)}};
         }));
  return cases;
}

double pair_product_gradient_tolerance(const Case& c, Cell cell, double reference,
                                       const Arithmetic& arithmetic) {
  const double rounded = 0.5 * spacing(reference, arithmetic);
  if (std::get<PairProductGradient>(c.operation).of == ScoreSide::queries) return rounded;
  const auto g = c.inputs[0].values(), x = c.inputs[1].values();
  double magnitude = 0;
  for (std::size_t pair = 0; pair < g.size(); ++pair)
    if (g[pair] != 0)
      magnitude += std::abs(static_cast<double>(g[pair]) *
                            static_cast<double>(x[pair * c.inputs[1].columns() + cell.column]));
  return rounded + sum_error(static_cast<double>(g.size()), magnitude, arithmetic);
}

}  // namespace

Declaration declared(Of<TanhGradient>) {
  return {TanhGradient::kName, tanh_gradient_cases, tanh_gradient_tolerance};
}
Declaration declared(Of<PutColumns>) {
  return {PutColumns::kName, put_columns_cases, exact};
}
Declaration declared(Of<PairSumGradient>) {
  return {PairSumGradient::kName, pair_sum_gradient_cases, pair_sum_gradient_tolerance};
}
Declaration declared(Of<PairProductGradient>) {
  return {PairProductGradient::kName, pair_product_gradient_cases, pair_product_gradient_tolerance};
}

template Declaration declaration<TanhGradient>();
template Declaration declaration<PutColumns>();
template Declaration declaration<PairSumGradient>();
template Declaration declaration<PairProductGradient>();

}  // namespace attn::opencl
