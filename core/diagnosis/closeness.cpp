// Cell by cell, in double.
#include "core/diagnosis/closeness.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/graph/rounding.h"

namespace attn {
namespace {

constexpr float kHighestFill = -1e4f;
constexpr double kFar = std::numeric_limits<double>::infinity();

bool is_number(float x) {
  return std::isfinite(x);
}

// Libraries round to a half format at other places than after every stage: neither of the two computations
// is the right one. To round moves a number by a part of itself that lies evenly between −ε/2 and ε/2, whose
// root mean square is ε/√12. Between the inputs and a stage ours has up to 9 roundings (inputs, projection,
// rotated, scores, scaled, exp, weights, head output, output), yours as many at most; as their errors have
// either sign, squares add up: 2·9·ε²/12. A stage may differ by the root of that, relative to itself; and a
// cell by four times as much, as of normal errors one in 16,000 does, of the largest number of its row, the
// size that the terms of its sum have.
double rounding_error(NumberFormat format) {
  constexpr double kRoundings = 9;
  return std::sqrt(2 * kRoundings / 12) * epsilon_of(format);
}
constexpr double kMostDeviations = 4;

double largest_number(std::span<const float> values, bool can_be_masked) {
  double largest = 0;
  for (const float x : values)
    if (is_number(x) && !(can_be_masked && is_fill(x)))
      largest = std::max(largest, std::abs(static_cast<double>(x)));
  return largest;
}

class Cells {
 public:
  Cells(const Tensor& yours, const Tensor& ours, const Nearness& nearness)
      : yours_(yours), ours_(ours), near_(nearness) {
    found_.distance = 0;
  }

  Closeness compared() {
    const std::size_t columns = yours_.columns(), size = yours_.shape().size();
    for (std::size_t begin = 0; begin < size; begin += columns) row(begin, begin + columns);
    if (unlike_ > 0) {
      const double each = largest_number(yours_.values(), near_.can_be_masked);
      apart_ += static_cast<double>(unlike_) * (each > 0 ? each * each : 1);
    }
    // Where yours are all 0 there is nothing to measure by: 1.
    found_.distance = apart_ == 0 ? 0 : norm_ == 0 ? 1 : std::sqrt(apart_ / norm_);
    const NumberFormat format = near_.rounded_to;
    if (format != NumberFormat::float32 && found_.distance > rounding_error(format)) found_.equal = false;
    return found_;
  }

 private:
  double allowed_for_rounding(std::size_t begin, std::size_t end) const {
    if (near_.rounded_to == NumberFormat::float32) return 0;
    return kMostDeviations * rounding_error(near_.rounded_to) *
           largest_number(ours_.values().subspan(begin, end - begin), near_.can_be_masked);
  }

  void row(std::size_t begin, std::size_t end) {
    const double rounding = allowed_for_rounding(begin, end);
    for (std::size_t i = begin; i < end; ++i) cell(i, rounding);
  }

  void cell(std::size_t i, double rounding) {
    const float a = yours_.values()[i], b = ours_.values()[i];
    if (near_.can_be_masked) {
      const bool mine = is_fill(a), its = is_fill(b);
      if (mine && is_number(a) && !found_.fill) found_.fill = a;
      if (mine != its && found_.same_masked) found_.same_masked = false, found_.at = i;
      if (mine && its) return;
      if (mine != its) return differ_in_kind(i);
    }
    if (!is_number(a) || !is_number(b)) {
      const bool alike = (std::isnan(a) && std::isnan(b)) || a == b;
      if (!alike) differ_in_kind(i);
      return;
    }
    const double x = static_cast<double>(a), y = static_cast<double>(b), apart = std::abs(x - y);
    norm_ += x * x;
    apart_ += apart * apart;
    if (apart > found_.largest) {
      found_.largest = apart;
      if (found_.same_masked) found_.at = i;
    }
    const Tolerance& t = near_.tolerance;
    if (!(apart <= t.absolute + t.relative * std::abs(y) + rounding)) found_.equal = false;
  }

  void differ_in_kind(std::size_t i) {
    if (unlike_++ == 0 && found_.largest == 0) found_.at = i;
    found_.equal = false;
  }

  const Tensor &yours_, &ours_;
  const Nearness& near_;
  Closeness found_;
  double apart_ = 0, norm_ = 0;
  std::size_t unlike_ = 0;
};

}  // namespace

bool is_fill(float score) {
  return score <= kHighestFill;
}

Closeness closeness_of(const Tensor& yours, const Tensor& ours, const Nearness& nearness) {
  if (yours.shape() != ours.shape()) return {.same_shape = false, .equal = false, .distance = kFar};
  return Cells(yours, ours, nearness).compared();
}

std::optional<std::size_t> first_nan(const Tensor& numbers) {
  const auto found = std::ranges::find_if(numbers.values(), [](float x) { return std::isnan(x); });
  if (found == numbers.values().end()) return std::nullopt;
  return static_cast<std::size_t>(found - numbers.values().begin());
}

bool is_of_format(const Tensor& numbers, NumberFormat format) {
  return std::ranges::all_of(numbers.values(), [&](float x) {
    const auto value = static_cast<double>(x);
    return !is_number(x) || is_fill(x) || rounded(format, value) == value;
  });
}

}  // namespace attn
