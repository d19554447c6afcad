// What the numbers of a series amount to on these axes: where they lie, whether they are in order. One pass
// over all of them, kept as long as they stay the same.
#pragma once

#include <cstdint>
#include <limits>

#include "app/plot/plot.h"

namespace attn {

// Of samples that have a place on the axes: finite, and above 0 on logarithmic ones.
struct SeriesFacts {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  PlotRange x{kNone, kNone}, y{kNone, kNone};  // bars' width and base included; NaN: there is nothing
  std::size_t shown = 0;
  std::size_t left_out = 0;  // finite, but not above 0 on a logarithmic axis
  bool ordered = true;       // no x is smaller than the one before
};

SeriesFacts facts_of(const Series& series, bool log_x, bool log_y);

// Tells these numbers from all others.
std::uint64_t key_of(const Samples& samples);
std::uint64_t key_of(const Series& series);

// The ranges that the data need, with some room around them, where the axes do not say.
struct PlotFit {
  PlotRange x, y;
};
// Facts of the series that are shown.
PlotFit fitted(const Plot& plot, bool log_x, bool log_y, const std::vector<const SeriesFacts*>& facts);

// The first sample of an ordered series whose x is not below `x`.
std::size_t first_from(const Series& series, double x);

}  // namespace attn
