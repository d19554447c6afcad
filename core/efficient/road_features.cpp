// elu + 1, ReLU, and exp(w·x − ‖x‖²/2) ÷ √R, row by row.
#include "core/efficient/road_features.h"

#include <cmath>

#include "core/operations/features_row.h"

namespace attn {

double feature_scale(FeatureKind kind, double score_scale) {
  return kind == FeatureKind::random ? std::sqrt(score_scale) : 1;
}

std::vector<double> features_of_rows(FeatureKind kind, const std::vector<double>& rows, std::size_t width,
                                     double scale, const Tensor& directions) {
  std::vector<double> features;
  if (kind != FeatureKind::random) {
    for (const double x : rows) features.push_back(feature_of(kind, scale * x));
    return features;
  }
  const std::size_t count = directions.columns();
  const Tensor64 wide = to_double(directions);
  for (std::size_t first = 0; first < rows.size(); first += width)
    for (std::size_t r = 0; r < count; ++r)
      features.push_back(
          std::exp(random_exponent(scale, std::span(rows).subspan(first, width), wide, r).value()) /
          std::sqrt(static_cast<double>(count)));
  return features;
}

}  // namespace attn
