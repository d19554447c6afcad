// elu + 1, ReLU, and exp(w·x − ‖x‖²/2) ÷ √R.
#include "core/efficient/road_features.h"

#include <algorithm>
#include <cmath>

namespace attn {

double feature_scale(FeatureKind kind, double score_scale) {
  return kind == FeatureKind::random ? std::sqrt(score_scale) : 1;
}

std::vector<double> features_of_rows(FeatureKind kind, const std::vector<double>& rows, std::size_t width,
                                     double scale, const Tensor& directions) {
  std::vector<double> features;
  if (kind != FeatureKind::random) {
    for (const double x : rows)
      features.push_back(kind == FeatureKind::relu ? std::max(0.0, scale * x)
                         : x > 0                   ? scale * x + 1
                                                   : std::exp(scale * x));
    return features;
  }
  const std::size_t count = directions.columns();
  for (std::size_t first = 0; first < rows.size(); first += width)
    for (std::size_t r = 0; r < count; ++r) {
      double product = 0, square = 0;
      for (std::size_t c = 0; c < width; ++c) {
        const double x = scale * rows[first + c];
        product += x * static_cast<double>(directions[{0, c, r}]), square += x * x;
      }
      features.push_back(std::exp(product - square / 2) / std::sqrt(static_cast<double>(count)));
    }
  return features;
}

}  // namespace attn
