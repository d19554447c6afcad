// The way back through distances and additive scores, to queries, to keys that heads share, and to the
// vector: pairs into which nothing flows have anything in them.
#include <cmath>

#include "core/opencl/cases/family.h"
#include "core/opencl/cases/scores.h"
#include "core/operations/score_pairs.h"

namespace attn::opencl {
namespace {

// Terms of a sum: how large they are, and how far each may be off before they are added.
struct SumOfPairs {
  double count = 0, magnitude = 0, off = 0;
};
// add(g, pair, to) for the pairs of a row into which something flows.
template <class Add>
void add_pairs(SumOfPairs& to, const ScorePairs& pairs, const Tensor& g, Cell own, Add add) {
  to.count += static_cast<double>(pairs.count());
  for (std::size_t i = 0; i < pairs.count(); ++i) {
    const ScorePair pair = pairs.at(own, i);
    const double flows = std::abs(static_cast<double>(g[pair.score()]));
    if (flows != 0) add(flows, pair);
  }
}

double tolerance_of(const SumOfPairs& sum, double reference, const Arithmetic& arithmetic) {
  return 0.5 * spacing(reference, arithmetic) + sum.off + sum_error(sum.count, sum.magnitude, arithmetic);
}

std::vector<Case> distance_gradient_cases(Scope scope) {
  std::vector<Case> cases;
  for (const ScoreSide of : {ScoreSide::queries, ScoreSide::keys})
    append(cases, over_shapes(scope, DistanceGradient{of}, [](Shape shape, Kind kind, std::uint64_t seed) {
             return std::vector<Tensor>{queries_for(shape, kind, seed), keys_for(shape, kind, seed),
                                        flows_for(shape, kind, seed)};
           }));
  return cases;
}

// A term is two in two floats, its difference and what that lost; in double a difference and two products are
// rounded. Twice the sum loses what the sum lost below the normal numbers.
double distance_gradient_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const ScorePairs pairs =
      score_pairs(std::get<DistanceGradient>(c.operation).of, c.inputs[0].shape(), c.inputs[1].shape());
  SumOfPairs sum;
  add_pairs(sum, pairs, c.inputs[2], cell, [&](double flows, const ScorePair& pair) {
    const double size =
        2 * flows *
        std::abs(static_cast<double>(c.inputs[0][pair.query]) - static_cast<double>(c.inputs[1][pair.key]));
    sum.magnitude += size;
  });
  sum.count = 2 * sum.count + 3;
  return tolerance_of(sum, reference, arithmetic) + spacing(0, arithmetic) +
         sum_error(sum.count, 0, arithmetic);
}

std::vector<Case> additive_gradient_cases(Scope scope) {
  std::vector<Case> cases;
  for (const ScoreSide of : {ScoreSide::queries, ScoreSide::keys, ScoreSide::vector})
    append(cases, over_shapes(scope, AdditiveGradient{of}, [](Shape shape, Kind kind, std::uint64_t seed) {
             return std::vector<Tensor>{queries_for(shape, kind, seed), keys_for(shape, kind, seed),
                                        vector_for(kind, seed), flows_for(shape, kind, seed)};
           }));
  return cases;
}

double sum_in_tanh(const Case& c, const ScorePair& pair) {
  return static_cast<double>(c.inputs[0][pair.query]) + static_cast<double>(c.inputs[1][pair.key]);
}

// The sum in the exponent is rounded, which the slope feels twice as much; the exponential is right to 3
// units, 6 roundings, the quotient to 2.5, 5 of them (OpenCL 1.2, section 7.4); 1 more than the exponential,
// twice, its square and a product with v are 4 more. Below the normal numbers digits are lost, an
// exponential's four times.
double slope_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const ScorePairs pairs =
      score_pairs(std::get<AdditiveGradient>(c.operation).of, c.inputs[0].shape(), c.inputs[1].shape());
  const double v = std::abs(static_cast<double>(c.inputs[2][{0, 0, cell.column}]));
  SumOfPairs sum;
  add_pairs(sum, pairs, c.inputs[3], cell, [&](double flows, const ScorePair& pair) {
    const double x = sum_in_tanh(c, pair), slope = tanh_slope(x), size = flows * v * slope;
    // Where the slope is nothing, ∞·0 would be NaN.
    if (slope > 0) sum.off += (15.2 + 2.1 * std::abs(x)) * kUnit * size;
    sum.magnitude += size, sum.off += flows * (1 + 20 * v) * spacing(0, arithmetic);
  });
  return tolerance_of(sum, reference, arithmetic);
}

// The sum in the tanh is rounded, and the tanh is right to 5 units.
double vector_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  const Shape q = c.inputs[0].shape();
  const ScorePairs pairs = score_pairs(ScoreSide::queries, q, c.inputs[1].shape());
  SumOfPairs sum;
  for (Cell own{0, 0, cell.column}; own.head < q.stack; ++own.head)
    for (own.row = 0; own.row < q.rows; ++own.row)
      add_pairs(sum, pairs, c.inputs[3], own, [&](double flows, const ScorePair& pair) {
        const double x = sum_in_tanh(c, pair), bent = std::abs(std::tanh(x)), slope = tanh_slope(x);
        sum.magnitude += flows * bent;
        sum.off += flows * (10 * kUnit * bent + spacing(0, arithmetic));
        if (slope > 0) sum.off += flows * 1.01 * slope * kUnit * std::abs(x);
      });
  return tolerance_of(sum, reference, arithmetic);
}

double additive_gradient_tolerance(const Case& c, Cell cell, double reference, const Arithmetic& arithmetic) {
  return std::get<AdditiveGradient>(c.operation).of == ScoreSide::vector
             ? vector_tolerance(c, cell, reference, arithmetic)
             : slope_tolerance(c, cell, reference, arithmetic);
}

}  // namespace

Declaration declared(Of<DistanceGradient>) {
  return {DistanceGradient::kName, distance_gradient_cases, distance_gradient_tolerance};
}
Declaration declared(Of<AdditiveGradient>) {
  return {AdditiveGradient::kName, additive_gradient_cases, additive_gradient_tolerance};
}

template Declaration declaration<DistanceGradient>();
template Declaration declaration<AdditiveGradient>();

}  // namespace attn::opencl
