// The arithmetic of a mean square distance in double, shared by the reference and the explanations.
#pragma once

#include <cmath>
#include <span>

#include "core/operations/mean_square.h"

namespace attn {

// How many numbers a target asks for.
template <class T>
double numbers_asked(std::span<const T> target) {
  double count = 0;
  for (const T t : target) count += !std::isnan(t);
  return count;
}

// x − t, 0 where nothing is asked.
inline double distance_asked(double x, double t) {
  return std::isnan(t) ? 0 : x - t;
}

template <class T>
double sum_of_squares(std::span<const T> x, std::span<const T> target) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double d = distance_asked(static_cast<double>(x[i]), static_cast<double>(target[i]));
    sum += d * d;
  }
  return sum;
}

}  // namespace attn
