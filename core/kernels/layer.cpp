// Queries and keys whose scaled dot products are the Gaussian's exponents.
#include "core/kernels/layer.h"

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

constexpr std::size_t kWidth = 3;  // d_k

double square(double x) {
  return x * x;
}

Tensor layer_queries(const KernelsSpec& spec, double middle) {
  const Tensor queries = queries_of(spec);
  const double factor = std::sqrt(static_cast<double>(kWidth)) / square(spec.widths[0]);
  std::vector<float> values;
  for (const float query : queries.values()) {
    values.push_back(static_cast<float>(factor * (static_cast<double>(query) - middle)));
    values.push_back(static_cast<float>(factor));
    values.push_back(0);
  }
  return {{1, queries.rows(), kWidth}, std::move(values)};
}

Tensor layer_keys(const KernelsSpec& spec, const Tensor& keys, double middle) {
  const std::size_t m = keys.rows();
  double longest = 0;
  const auto place = [&](std::size_t j) { return static_cast<double>(keys.values()[j]) - middle; };
  const auto length = [&](std::size_t j) { return square(place(j)) + square(square(place(j)) / 2); };
  for (std::size_t j = 0; j < m; ++j) longest = std::max(longest, length(j));
  std::vector<float> values;
  for (std::size_t j = 0; j < m; ++j) {
    const double along = m > 1 ? 2 * static_cast<double>(j) / static_cast<double>(m - 1) - 1 : 0;
    const double stretch = 1 + spec.norms * along;
    for (const double number : {place(j), -square(place(j)) / 2, std::sqrt(longest - length(j))})
      values.push_back(static_cast<float>(stretch * number));
  }
  return {{1, m, kWidth}, std::move(values)};
}

}  // namespace

std::size_t layer_curve(const KernelsSpec& spec) {
  const std::vector<KernelCurve> curves = curves_of(spec);
  if (spec.width_rule != WidthRule::fixed || !spec.key_widths.empty()) return curves.size();
  return static_cast<std::size_t>(std::ranges::find(curves, Kernel::gaussian, &KernelCurve::kernel) -
                                  curves.begin());
}

LayerSpec same_layer(const KernelsSpec& spec, const KernelPoints& points) {
  const auto keys = points.keys.values();
  const double middle = (static_cast<double>(keys.front()) + static_cast<double>(keys.back())) / 2;
  LayerSpec layer;
  layer.direct = true;
  layer.q = layer_queries(spec, middle);
  layer.k = layer_keys(spec, points.keys, middle);
  layer.v = points.values;
  return layer;
}

}  // namespace attn
