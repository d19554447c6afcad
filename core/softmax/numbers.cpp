// Figures of rows and of samples.
#include "core/softmax/numbers.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/operations/weighting.h"
#include "core/text/special.h"

namespace attn {
namespace {

// The next larger one of the format, of a number over 0.
double next_number(NumberFormat format, double x) {
  double step = x * 0x1p-30;
  while (rounded(format, x + step) == x) step *= 2;
  return rounded(format, x + step);
}

constexpr double kSaturated = 1e-9;  // of all weights but the largest together

// Where 1 − a_max has no digits left in a_max: to first order in the others r the largest λ of
// [[R, −rᵀ], [−r, diag(r)]] with R = Σ r, between R and 2R, where λ − R = Σ r²/(λ − r).
double saturated_norm(std::span<const double> weights, double largest) {
  double rest = 0;
  std::vector<double> others;
  for (const double a : weights)
    if (a != largest) others.push_back(a), rest += a;
  double low = rest, high = 2 * rest;
  for (int halving = 0; halving < 100; ++halving) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    double sum = rest;
    for (const double r : others) sum += r == 0 ? 0 : r * (r / (middle - r));
    (sum > middle ? low : high) = middle;
  }
  return high;
}

}  // namespace

std::vector<double> softmax_of(std::span<const double> scores) {
  const double largest = scores.empty() ? -kInfinity : *std::ranges::max_element(scores);
  std::vector<double> weights(scores.size());
  if (largest == -kInfinity) return weights;
  double sum = 0;
  for (std::size_t j = 0; j < scores.size(); ++j) sum += weights[j] = std::exp(scores[j] - largest);
  for (double& weight : weights) weight /= sum;
  return weights;
}

double log_sum_exp(std::span<const double> scores) {
  const double largest = scores.empty() ? -kInfinity : *std::ranges::max_element(scores);
  if (largest == -kInfinity) return largest;
  double sum = 0;
  for (const double z : scores) sum += std::exp(z - largest);
  return largest + std::log(sum);
}

double jacobian_norm(std::span<const double> weights) {
  double first = 0, second = 0;
  for (const double a : weights) {
    second = std::max(second, std::min(a, first));
    first = std::max(first, a);
  }
  double rest = -first;
  for (const double a : weights) rest += a;
  if (std::isnan(rest)) return rest;
  // Two equal ones turn against each other: a·aᵀ has no part in that.
  if (first == second) return first;
  if (first == 1 || rest < kSaturated) return saturated_norm(weights, first);
  // Above the root the sum is over 1, below it under 1.
  double low = second, high = first;
  for (int halving = 0; halving < 200 && low < high; ++halving) {
    const double middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;
    double sum = 0;
    for (const double a : weights) sum += a == 0 ? 0 : a * a / (a - middle);
    (sum > 1 ? high : low) = middle;
  }
  return low;
}

Saturation saturation_of(std::span<const double> scores) {
  Saturation s;
  double first = -kInfinity, second = -kInfinity;
  for (const double z : scores) {
    if (z == -kInfinity) continue;
    ++s.left;
    second = std::max(second, std::min(z, first));
    first = std::max(first, z);
  }
  if (s.left == 0) return s;
  const auto n = static_cast<double>(s.left);
  const std::vector<double> weights = softmax_of(scores);
  s.gap = s.left > 1 ? first - second : kInfinity;
  s.rest_bound = s.left > 1 ? (n - 1) * std::exp(-s.gap) : 0;
  // Of all but one of the largest: 1 − a_max has no digits where a_max is nearly 1.
  const auto largest = static_cast<std::size_t>(std::ranges::max_element(weights) - weights.begin());
  for (std::size_t j = 0; j < weights.size(); ++j) {
    if (j != largest) s.rest += weights[j];
    s.gradient = std::max(s.gradient, weights[j] * (1 - weights[j]));
  }
  s.entropy = row_figure(RowFigure::entropy, weights);
  s.most_entropy = std::log(n);
  s.norm = jacobian_norm(weights);
  return s;
}

std::size_t support_size(std::span<const float> weights) {
  return weights.size() - static_cast<std::size_t>(std::ranges::count(weights, 0.0f));
}

double sum_of_numbers(std::span<const float> numbers) {
  double sum = 0;
  for (const float x : numbers) sum += static_cast<double>(x);
  return sum;
}

double first_overflow(NumberFormat format) {
  double z = rounded(format, std::log(largest_of(format)));
  while (std::isfinite(rounded(format, std::exp(z)))) z = next_number(format, z);
  return z;
}

std::optional<std::size_t> overflowing_key(std::span<const float> scores, NumberFormat format) {
  for (std::size_t j = 0; j < scores.size(); ++j) {
    const double z = rounded(format, static_cast<double>(scores[j]));
    if (std::isinf(rounded(format, std::exp(z)))) return j;
  }
  return std::nullopt;
}

Moments moments_of(std::span<const float> numbers) {
  Moments m;
  if (numbers.empty()) return m;
  const auto count = static_cast<double>(numbers.size());
  m.mean = sum_of_numbers(numbers) / count;
  double squares = 0;
  for (const float x : numbers) {
    const double off = static_cast<double>(x) - m.mean;
    squares += off * off;
  }
  m.sd = std::sqrt(squares / count);
  return m;
}

std::vector<std::size_t> histogram(std::span<const float> numbers, double low, double high,
                                   std::size_t bins) {
  std::vector<std::size_t> counts(bins);
  const double each = static_cast<double>(bins) / (high - low);
  for (const float number : numbers) {
    const auto x = static_cast<double>(number);
    if (!(x >= low && x <= high)) continue;
    ++counts[std::min(bins - 1, static_cast<std::size_t>((x - low) * each))];
  }
  return counts;
}

double share_over(std::span<const float> numbers, double limit) {
  if (numbers.empty()) return 0;
  const auto over = std::ranges::count_if(numbers, [&](float x) { return static_cast<double>(x) > limit; });
  return static_cast<double>(over) / static_cast<double>(numbers.size());
}

}  // namespace attn
