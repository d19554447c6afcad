// Values and pixels of one axis. All arithmetic is in double: a person may zoom in by factors of 10¹².
#include "app/plot/plot_axis.h"

#include <algorithm>

namespace attn {
namespace {

constexpr double kLargest = 1e300, kLeast = 1e-300;
constexpr double kFinest = 1e-12;  // of a range to its values: doubles have 16 digits, the screen needs four
constexpr double kFarthest = 1e6;  // pixels

double bounded(double value) {
  return std::clamp(value, -kLargest, kLargest);
}

}  // namespace

PlotRange proper_range(PlotRange range, bool log) {
  if (std::isnan(range.low) && std::isnan(range.high)) range = log ? PlotRange{1, 10} : PlotRange{0, 1};
  if (std::isnan(range.low)) range.low = range.high;
  if (std::isnan(range.high)) range.high = range.low;
  if (range.low > range.high) std::swap(range.low, range.high);
  range = {bounded(range.low), bounded(range.high)};
  if (log) {
    range.high = range.high >= kLeast ? range.high : 1;
    range.low = range.low >= kLeast ? range.low : range.high / 1000;
    range.low = std::max(range.low, kLeast);
    if (std::log(range.high / range.low) > kFinest) return range;
    return {std::max(range.low / 3, kLeast), std::min(range.high * 3, kLargest)};
  }
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  if (range.high - range.low > std::max(kFinest * largest, kLeast)) return range;
  const double half = largest > kLeast / kFinest ? largest / 10 : 1;
  return {bounded(range.low - half), bounded(range.high + half)};
}

AxisScale::AxisScale(PlotRange range, bool log, float from, float to)
    : range_(proper_range(range, log)),
      log_(log),
      from_(static_cast<double>(from)),
      low_(coordinate(range_.low)),
      pixels_((static_cast<double>(to) - from_) / (coordinate(range_.high) - low_)) {}

float AxisScale::pixel(double value) const {
  return static_cast<float>(std::clamp(place(value), -kFarthest, kFarthest));  // NaN stays one
}

double AxisScale::value(double pixel) const {
  if (pixels_ == 0) return range_.low;
  return value_of(low_ + (pixel - from_) / pixels_);
}

double AxisScale::resolution(double value) const {
  if (pixels_ == 0) return range_.high - range_.low;
  return log_ ? std::abs(value) * std::expm1(1 / std::abs(pixels_)) : 1 / std::abs(pixels_);
}

PlotRange AxisScale::from_coordinates(double low, double high) const {
  const PlotRange range{value_of(low), value_of(high)};
  // What proper_range would change is out of reach: the axis stays as it is.
  return proper_range(range, log_) == range ? range : range_;
}

PlotRange AxisScale::panned(double value, float pixel) const {
  if (pixels_ == 0) return range_;
  const double by = coordinate(value) - (low_ + (static_cast<double>(pixel) - from_) / pixels_);
  if (!std::isfinite(by)) return range_;
  return from_coordinates(low_ + by, coordinate(range_.high) + by);
}

PlotRange AxisScale::zoomed(float pixel, double factor) const {
  if (pixels_ == 0 || !(factor > 0)) return range_;
  const double at = low_ + (static_cast<double>(pixel) - from_) / pixels_;
  return from_coordinates(at + (low_ - at) / factor, at + (coordinate(range_.high) - at) / factor);
}

}  // namespace attn
