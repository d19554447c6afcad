// The arithmetic of one query.
#include "core/kernels/row.h"

#include <algorithm>
#include <cmath>

#include "core/operations/kernel_row.h"
#include "core/operations/regression_row.h"

namespace attn {
namespace {

double neighbour_width(const Tensor& keys, double query, std::size_t count) {
  std::vector<double> distances;
  for (const float key : keys.values()) distances.push_back(std::abs(query - static_cast<double>(key)));
  const auto kth = distances.begin() + static_cast<std::ptrdiff_t>(std::min(count, distances.size()) - 1);
  std::ranges::nth_element(distances, kth);
  return *kth;
}

// 1×1×1, or 1×1×m where points have their own.
Tensor widths_of(const KernelsSpec& spec, const KernelPoints& points, double width) {
  if (points.widths.empty() || spec.width_rule == WidthRule::neighbours)
    return {{1, 1, 1}, {static_cast<float>(width)}};
  std::vector<float> widths;
  for (const float factor : points.widths.values())
    widths.push_back(static_cast<float>(width * static_cast<double>(factor)));
  const std::size_t m = widths.size();
  return {{1, 1, m}, std::move(widths)};
}

// κ itself of an exponential, from those relative to the largest.
double at_largest(const KernelRow<float>& row, Kernel kernel) {
  const auto best = row.largest(kernel);
  if (!best) return 1;
  const double u = row.distance(*best);
  return kernel == Kernel::dot ? std::exp(row.query * row.key(*best)) : std::exp(-u * u / 2);
}

}  // namespace

QueryRow query_row(const KernelsSpec& spec, const KernelPoints& points, const KernelCurve& curve,
                   double query) {
  QueryRow result;
  result.query = query, result.width = curve.width;
  const std::size_t m = points.keys.rows();
  if (m == 0) return result;
  if (spec.width_rule == WidthRule::neighbours)
    result.width = neighbour_width(points.keys, query, spec.neighbours);
  const Tensor widths = widths_of(spec, points, result.width);
  const KernelRow<float> row{.keys = points.keys, .widths = widths, .query = query};
  result.kernels = row.kernels(curve.kernel);
  double sum = 0;
  for (const double kappa : result.kernels) sum += kappa;
  for (const double kappa : result.kernels) result.shares.push_back(sum == 0 ? std::nan("") : kappa / sum);
  for (std::size_t c = 0; c < points.values.columns(); ++c)
    result.average.push_back(estimate_of(std::span<const double>(result.kernels), points.values, c));
  if (is_exponential(curve.kernel)) {
    const double largest = at_largest(row, curve.kernel);
    result.relative = !std::isnormal(largest);
    if (!result.relative)
      for (double& kappa : result.kernels) kappa *= largest;
  }
  result.weighted.resize(points.values.columns());
  for (std::size_t j = 0; j < m; ++j) {
    const double kappa = result.kernels[j];
    if (kappa == 0) continue;
    ++result.reached;
    result.sum += kappa;
    for (std::size_t c = 0; c < result.weighted.size(); ++c)
      result.weighted[c] += kappa * static_cast<double>(points.values[{0, j, c}]);
  }
  return result;
}

std::vector<float> kernel_heights(Kernel kernel, double reach, std::size_t count) {
  std::vector<float> heights;
  for (std::size_t i = 0; i < count; ++i) {
    const double u = reach * (2 * static_cast<double>(i) / static_cast<double>(count - 1) - 1);
    heights.push_back(static_cast<float>(kernel_value(kernel, u)));
  }
  return heights;
}

}  // namespace attn
