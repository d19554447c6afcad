// Sets of points in small sizes around the widths of vectors and groups.
#include "core/opencl/cases/points.h"

#include <cmath>

#include "core/opencl/cases/families.h"
#include "core/opencl/cases/numbers.h"

namespace attn::opencl {
namespace {

Tensor column(std::size_t count, std::uint64_t seed) {
  return numbers({1, count, 1}, Kind::ordinary, seed);
}

template <class Change>
Tensor changed(const Tensor& tensor, Change change) {
  std::vector<float> values;
  for (const float x : tensor.values()) values.push_back(change(x));
  return {tensor.shape(), std::move(values)};
}

}  // namespace

std::vector<PointSet> point_sets(Scope scope) {
  if (scope == Scope::benchmark) return {{"1000 queries of 10000 keys", column(1000, 1), column(10000, 2)}};
  if (scope == Scope::long_grids) return {{"long", column(20011, 1), column(3, 2)}};
  if (scope == Scope::self_test) return {{"7 queries of 37 keys", column(7, 1), column(37, 2)}};
  std::vector<PointSet> sets;
  for (const auto& [queries, keys] : std::vector<std::pair<std::size_t, std::size_t>>{
           {1, 1}, {1, 2}, {5, 7}, {17, 16}, {3, 65}, {5, 131}, {2, 0}, {0, 3}})
    sets.push_back({std::to_string(queries) + " queries of " + std::to_string(keys) + " keys",
                    column(queries, 3), column(keys, 4)});
  const Tensor tenths = changed(column(33, 5), [](float x) { return std::round(x) / 10; });
  sets.push_back({"duplicate keys", column(9, 6), tenths});
  sets.push_back({"queries at keys", tenths, tenths});
  sets.push_back({"far queries", changed(column(6, 7), [](float x) { return 1e6f * x; }), column(40, 8)});
  return sets;
}

std::vector<Tensor> widths_for(Scope scope, std::size_t queries, std::size_t keys) {
  const auto positive = [](Shape shape, std::uint64_t seed) {
    return changed(numbers(shape, Kind::ordinary, seed), [](float x) { return 0.05f + std::abs(x) / 4; });
  };
  std::vector<Tensor> all{positive({1, 1, 1}, 11)};
  if (scope == Scope::benchmark || scope == Scope::long_grids) return all;
  all.push_back(positive({1, queries, 1}, 12));
  all.push_back(positive({1, 1, keys}, 13));
  if (scope == Scope::self_test) return all;
  all.push_back(positive({1, queries, keys}, 14));
  if (scope == Scope::shapes) return all;
  for (const float width : {1e-6f, 1e6f, 0.1f}) all.push_back(Tensor({1, 1, 1}, {width}));
  return all;
}

// In double the one rounding; in float a rounding of every step, of the terms before they cancel.
double exponent_error(const KernelRow<float>& row, Kernel kernel, std::size_t j, std::size_t best,
                      const Arithmetic& arithmetic) {
  const double k = row.key(j), than = row.key(best), exponent = row.exponent(kernel, j, best);
  double size = std::abs(row.query) * (std::abs(k) + std::abs(than));
  if (kernel == Kernel::gaussian) {
    const double u = row.distance(j), least = row.distance(best);
    // On the same side of the query the difference of keys is exact enough; across it both distances round.
    const bool same_side = (row.query - k) * (row.query - than) > 0;
    size = row.one_width() && same_side ? 2 * std::abs(exponent) : (u * u + least * least) / 2;
  }
  if (!std::isfinite(size)) return 0;
  const double unit = arithmetic.double_sums ? 0x1p-50 : 0x1p-21;
  return 0.5 * spacing(exponent, arithmetic) + unit * size;
}

}  // namespace attn::opencl
