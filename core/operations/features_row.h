// The arithmetic of feature maps in double, shared by the reference and the explanations.
#pragma once

#include <cmath>
#include <limits>
#include <span>

#include "core/operations/features.h"
#include "core/operations/products.h"

namespace attn {

// Of a number, already scaled; not of random features. NaN stays.
inline double feature_of(FeatureKind kind, double x) {
  if (kind == FeatureKind::relu) return x < 0 ? 0 : x;
  return x > 0 ? x + 1 : std::exp(x);
}

// By how much such a feature grows with its number.
inline double feature_slope(FeatureKind kind, double feature) {
  if (std::isnan(feature)) return feature;
  if (kind == FeatureKind::relu) return feature > 0 ? 1 : 0;
  return feature > 1 ? 1 : feature;
}

// w·x − ‖x‖²/2, by parts. Of an infinite row the squares grow faster: −∞.
struct RandomExponent {
  double along = 0, half_square = 0;
  double value() const {
    return std::isinf(half_square) ? -std::numeric_limits<double>::infinity() : along - half_square;
  }
};
template <class T>
RandomExponent random_exponent(double scale, std::span<const T> x, const BasicTensor<T>& directions,
                               std::size_t which) {
  RandomExponent e;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double number = scale * static_cast<double>(x[i]);
    e.along += number * static_cast<double>(directions[{0, i, which}]);
    e.half_square += number * number / 2;
  }
  return e;
}

// What flows back to a scaled number of a row by one feature: g·φ·(w − x).
inline double random_flow(double g, double feature, double w, double x) {
  return product_or_zero(product_or_zero(g, feature), w - x);
}

}  // namespace attn
