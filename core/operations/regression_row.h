// One row of a local line, and the estimate of one query, in double. Shared by the reference and the
// explanations.
#pragma once

#include <limits>
#include <span>

#include "core/operations/kernel_row.h"
#include "core/operations/regression.h"

namespace attn {

// Of the points with weights w: distances from the place of the heaviest, so that points at one place have
// a spread of exactly 0.
struct WeightedPlace {
  double origin = 0, mean = 0, spread = 0;  // mean from the origin; Σ w(k − k̄)²

  // What w is multiplied by.
  double factor(double query, double key) const {
    return spread > 0 ? 1 + (query - origin - mean) * (key - origin - mean) / spread : 1;
  }
};

template <class T>
WeightedPlace place_of(std::span<const T> weights, std::span<const T> keys) {
  WeightedPlace place;
  double heaviest = 0, sum = 0;
  for (std::size_t j = 0; j < keys.size(); ++j)
    if (weights[j] > heaviest) heaviest = weights[j], place.origin = keys[j];
  for (std::size_t j = 0; j < keys.size(); ++j) {
    if (!(weights[j] >= static_cast<T>(kLeastWeight))) continue;
    sum += weights[j];
    place.mean += static_cast<double>(weights[j]) * (static_cast<double>(keys[j]) - place.origin);
  }
  place.mean /= sum;
  for (std::size_t j = 0; j < keys.size(); ++j) {
    if (!(weights[j] >= static_cast<T>(kLeastWeight))) continue;
    const double apart = static_cast<double>(keys[j]) - place.origin - place.mean;
    place.spread += weights[j] * apart * apart;
  }
  return place;
}

template <class T>
double linear_weight(T weight, const WeightedPlace& place, double query, double key) {
  return weight < static_cast<T>(kLeastWeight) ? 0 : weight * place.factor(query, key);
}

// Σ κ·v ÷ Σ κ of one column; 0 ÷ 0 where no key is in reach.
template <class T>
double estimate_of(std::span<const double> kernels, const BasicTensor<T>& values, std::size_t column) {
  double sum = 0, weighted = 0;
  for (std::size_t j = 0; j < kernels.size(); ++j) {
    if (kernels[j] == 0) continue;  // out of reach, whatever its value
    sum += kernels[j];
    weighted += kernels[j] * static_cast<double>(values[{0, j, column}]);
  }
  return sum == 0 ? std::numeric_limits<double>::quiet_NaN() : weighted / sum;
}

}  // namespace attn
