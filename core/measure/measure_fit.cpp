// A straight line through logarithms, and how far back from the largest n it is one.
#include "core/measure/measure_fit.h"

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

constexpr std::size_t kFewest = 3;

struct Line {
  double slope = 0, mean_x = 0, mean_y = 0;  // it passes through the means
  double weights = 0, xx = 0;                // Σ 1 ÷ error², Σ (x − mean)² ÷ error²
  double deviation = 0;                      // Σ (residual ÷ error)²

  double at(double x) const { return mean_y + slope * (x - mean_x); }
  // Of what it says of x, from the points' errors alone.
  double variance_at(double x) const { return 1 / weights + (x - mean_x) * (x - mean_x) / xx; }
};

double error_of(const FitPoint& point) {
  return std::max(point.relative_error, kLeastError);  // d log t = dt ÷ t
}

Line line_through(std::span<const FitPoint> points) {
  Line line;
  for (const FitPoint& p : points) {
    const double weight = 1 / (error_of(p) * error_of(p));
    line.weights += weight;
    line.mean_x += weight * std::log(p.n), line.mean_y += weight * std::log(p.seconds);
  }
  line.mean_x /= line.weights, line.mean_y /= line.weights;
  double xy = 0;
  for (const FitPoint& p : points) {
    const double weight = 1 / (error_of(p) * error_of(p)), x = std::log(p.n) - line.mean_x;
    line.xx += weight * x * x, xy += weight * x * (std::log(p.seconds) - line.mean_y);
  }
  line.slope = xy / line.xx;
  for (const FitPoint& p : points) {
    const double residual = (std::log(p.seconds) - line.at(std::log(p.n))) / error_of(p);
    line.deviation += residual * residual;
  }
  return line;
}

bool goes_on(const Line& line, const FitPoint& point) {
  const double x = std::log(point.n), away = std::log(point.seconds) - line.at(x);
  return away * away <= 4 * (line.variance_at(x) + error_of(point) * error_of(point));
}

}  // namespace

std::optional<PowerFit> fit_power(std::span<const FitPoint> points) {
  if (points.size() < kFewest) return std::nullopt;
  std::span<const FitPoint> tail = points.last(kFewest);
  Line line = line_through(tail);
  const bool holds = line.deviation <= 1 + 2 * std::sqrt(2.0);
  while (holds && tail.size() < points.size() && goes_on(line, points[points.size() - tail.size() - 1])) {
    tail = points.last(tail.size() + 1);
    line = line_through(tail);
  }
  const double freedom = static_cast<double>(tail.size()) - 2;
  const double beyond = std::max(1.0, std::sqrt(line.deviation / freedom));
  return PowerFit{.exponent = line.slope,
                  .error = beyond / std::sqrt(line.xx),
                  .factor = std::exp(line.at(0)),
                  .first = tail.front().n,
                  .last = tail.back().n,
                  .points = tail.size(),
                  .holds = holds};
}

std::optional<PowerFit> fit_power(const Measured& measured, std::string_view subject) {
  std::vector<FitPoint> points;
  for (const MeasuredPoint* point : measured.of(subject))
    if (const double median = point->seconds.median(); median > 0)
      points.push_back({static_cast<double>(point->n), median, point->seconds.relative_error()});
  return fit_power(points);
}

std::vector<double> measured_crossings(const Measured& measured, std::string_view a, std::string_view b) {
  struct RatioPoint {
    double n, ratio;  // logarithms
  };
  std::vector<RatioPoint> both;
  for (const MeasuredPoint* point : measured.of(a)) {
    const MeasuredPoint* other = measured.find(b, point->n);
    if (other == nullptr || point->seconds.median() <= 0 || other->seconds.median() <= 0) continue;
    both.push_back({std::log(static_cast<double>(point->n)),
                    std::log(point->seconds.median() / other->seconds.median())});
  }
  std::vector<double> crossings;
  for (std::size_t i = 0; i < both.size(); ++i) {
    if (both[i].ratio == 0) crossings.push_back(std::exp(both[i].n));
    if (i + 1 == both.size() || both[i].ratio * both[i + 1].ratio >= 0) continue;
    const double share = both[i].ratio / (both[i].ratio - both[i + 1].ratio);
    crossings.push_back(std::exp(both[i].n + share * (both[i + 1].n - both[i].n)));
  }
  return crossings;
}

}  // namespace attn
