// What is asked of measurements: middles, spreads, and the roof over them.
#include "core/measure/measured.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/system/error.h"

namespace attn {

void check_measurable(const MeasureShape& shape) {
  const auto fail = [](const std::string& what) {
    throw Error("cannot be measured: " + what, Fault::option);
  };
  if (shape.d == 0 || shape.heads == 0 || shape.kv_heads == 0) fail("widths and heads are at least 1");
  if (shape.d % shape.heads != 0)
    fail("a width of " + std::to_string(shape.d) + " cannot be divided among " + std::to_string(shape.heads) +
         " heads: use a number of heads that divides it");
  if (shape.heads % shape.kv_heads != 0)
    fail(std::to_string(shape.heads) + " heads cannot share " + std::to_string(shape.kv_heads) +
         " key/value heads: use a number that divides the heads");
}

double Timings::quantile(double share) const {
  if (values.empty()) return 0;
  std::vector<double> sorted = values;
  std::ranges::sort(sorted);
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

double Timings::relative_error() const {
  constexpr double kQuartiles = 1.349;  // of a normal distribution, in standard deviations
  if (values.size() < 3 || median() == 0) return 0;
  const double deviation = (quantile(0.75) - quantile(0.25)) / kQuartiles;
  return deviation * std::sqrt(std::numbers::pi / 2) / std::sqrt(static_cast<double>(values.size())) /
         median();
}

double Measured::roof(double intensity) const {
  return std::min(peak(), bandwidth() * intensity);
}

const MeasuredPoint* Measured::find(std::string_view subject, std::size_t n) const {
  const auto found = std::ranges::find_if(
      points, [&](const MeasuredPoint& point) { return point.subject == subject && point.n == n; });
  return found == points.end() ? nullptr : &*found;
}

std::vector<const MeasuredPoint*> Measured::of(std::string_view subject) const {
  std::vector<const MeasuredPoint*> found;
  for (const MeasuredPoint& point : points)
    if (point.subject == subject) found.push_back(&point);
  std::ranges::sort(found, {}, &MeasuredPoint::n);
  return found;
}

}  // namespace attn
