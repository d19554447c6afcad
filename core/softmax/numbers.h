// What is said of a row of scores or weights, and of many random numbers: plain functions in double.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/operations/precision.h"

namespace attn {

// How saturated a softmax is.
struct Saturation {
  double gap = 0;           // Δ, from the largest score to the second; ∞ of a single key
  double rest = 0;          // 1 − a_max
  double rest_bound = 0;    // (n − 1)·e^−Δ, which it never exceeds
  double entropy = 0;       // −Σ a·ln a
  double most_entropy = 0;  // ln n
  double gradient = 0;      // the largest |∂a_i/∂z_j|: that of some a_i(1 − a_i)
  double norm = 0;          // of the Jacobian
  std::size_t left = 0;     // n, the keys that are not masked
};
// Of one row of scores, already divided by the temperature; −∞ is masked.
Saturation saturation_of(std::span<const double> scores);

// ‖diag(a) − a·aᵀ‖₂ of weights that add up to 1, at most ½: the largest eigenvalue λ of a symmetric matrix, a
// diagonal one less one of rank one, so the root between the two largest a of 1 = Σ a_i² ÷ (a_i − λ) (Golub
// 1973, "Some modified matrix eigenvalue problems", section 5).
double jacobian_norm(std::span<const double> weights);
inline constexpr double kJacobianBound = 0.5;

std::vector<double> softmax_of(std::span<const double> scores);  // zeros where no key is left
// max + ln Σ exp(z − max); −∞ where no key is left.
double log_sum_exp(std::span<const double> scores);
std::size_t support_size(std::span<const float> weights);  // weights that are not 0
double sum_of_numbers(std::span<const float> numbers);

// The smallest number of the format whose exponential overflows in it.
double first_overflow(NumberFormat format);
// The first score of a row that does, where it is not made smaller before.
std::optional<std::size_t> overflowing_key(std::span<const float> scores, NumberFormat format);

struct Moments {
  double mean = 0, sd = 0;
};
Moments moments_of(std::span<const float> numbers);
// How many numbers lie in each of so many equal bins from `low` to `high`; the last one has its upper edge.
// What lies outside is in none.
std::vector<std::size_t> histogram(std::span<const float> numbers, double low, double high, std::size_t bins);
// The part of the numbers that are over `limit`.
double share_over(std::span<const float> numbers, double limit);

}  // namespace attn
