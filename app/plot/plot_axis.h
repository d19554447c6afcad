// One axis of a plot: between values and pixels, linear or logarithmic, and its range as it is zoomed and
// panned. Ranges may be anything a person or the data make them: they come out finite and not empty.
#pragma once

#include <cmath>

#include "app/plot/plot.h"

namespace attn {

// Both ends finite, low below high by what a double can tell apart, and above 0 on a logarithmic axis.
PlotRange proper_range(PlotRange range, bool log);

class AxisScale {
 public:
  AxisScale() : AxisScale({0, 1}, false, 0, 1) {}
  // `from` and `to`: the pixels of the range's low and high end; of a y axis `from` is the larger.
  AxisScale(PlotRange range, bool log, float from, float to);

  const PlotRange& range() const { return range_; }
  bool log() const { return log_; }
  bool shows(double value) const { return value >= range_.low && value <= range_.high; }

  // NaN for what has no place: NaN, and what is not above 0 on a logarithmic axis.
  double place(double value) const { return from_ + (coordinate(value) - low_) * pixels_; }
  // The same for drawing: bounded, since beyond some million pixels floats are of no use.
  float pixel(double value) const;
  double value(double pixel) const;
  // The difference that a pixel makes at this value.
  double resolution(double value) const;

  // The range that puts `value` at `pixel`.
  PlotRange panned(double value, float pixel) const;
  // The range that holds 1/factor of this one, with what is at `pixel` left there. This one if it would be
  // too small or too large to be told.
  PlotRange zoomed(float pixel, double factor) const;

 private:
  double coordinate(double value) const { return log_ ? std::log(value) : value; }
  double value_of(double coordinate) const { return log_ ? std::exp(coordinate) : coordinate; }
  PlotRange from_coordinates(double low, double high) const;

  PlotRange range_;
  bool log_;
  double from_, low_, pixels_;  // low_: the range's low end as a coordinate; pixels_: of one coordinate
};

}  // namespace attn
