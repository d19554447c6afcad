// The arithmetic in double of what flows back through a row of weights, or through a number of a row, shared
// by the reference and the explanations.
#pragma once

#include <span>

#include "core/operations/products.h"
#include "core/operations/weighting_gradient.h"
#include "core/text/special.h"

namespace attn {

// What all numbers of a row share.
struct WeightsRow {
  double sum = 0;      // Σ a·g; of sparsemax that of g over the support
  double support = 0;  // how many weights are above 0
};
template <class T>
WeightsRow weights_row(WeightsRule rule, std::span<const T> a, std::span<const T> g) {
  WeightsRow row;
  for (std::size_t j = 0; j < a.size(); ++j) {
    const double weight = static_cast<double>(a[j]), flow = static_cast<double>(g[j]);
    if (weight > 0) ++row.support;
    if (rule == WeightsRule::softmax && weight != 0) row.sum += weight * flow;
    if (rule == WeightsRule::sparsemax && weight > 0) row.sum += flow;
  }
  return row;
}

// `r`: what `rectified` divides by.
inline double weights_flow(WeightsRule rule, const WeightsRow& row, double a, double g, double r) {
  if (a == 0) return 0;
  switch (rule) {
    case WeightsRule::softmax:
      return a * (g - row.sum);
    case WeightsRule::sparsemax:
      return a > 0 ? g - row.sum / row.support : 0;
    case WeightsRule::sigmoid:
      return g * a * (1 - a);
    case WeightsRule::rectified:
      return a > 0 ? g / r : 0;
  }
  return kNan;
}

// Whether the number of a row, `figure`, comes from x.
inline bool makes_figure(FigureRule rule, double x, double figure) {
  switch (rule) {
    case FigureRule::largest:
      return x == figure && figure != -kInfinity;
    case FigureRule::largest_or_zero:
      return x == figure && figure > 0;
    case FigureRule::threshold:
      return x > figure;
  }
  return false;
}

// From how many of a row it comes.
template <class T>
double figure_makers(FigureRule rule, std::span<const T> x, double figure) {
  double count = 0;
  for (const T number : x) count += makes_figure(rule, static_cast<double>(number), figure);
  return count;
}

}  // namespace attn
