// What a person did to a plot: its zoom, its hidden series, what is being dragged. The program's view keeps
// one for each plot.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>

namespace attn {

struct PlotSpot {
  std::size_t series = 0, sample = 0;
  bool operator==(const PlotSpot&) const = default;
};

struct PlotRange {
  double low = 0, high = 1;
  bool operator==(const PlotRange&) const = default;
};

// What a person did to a plot. Copy and compare freely.
struct PlotView {
  std::optional<PlotRange> x = {}, y = {};     // zoomed or panned; empty: fitted to the data
  std::optional<bool> log_x = {}, log_y = {};  // chosen in the menu; empty: as the plot says
  bool locked = false;                         // the range stays as it is while data change
  std::set<std::string> hidden = {};           // names of series
  std::optional<int> legend_corner = {};       // where the legend was last: it does not jump about
  float numbers = 0;                           // pixels for the y axis' numbers, for the same reason

  // While a button is held.
  enum Drag { none, pan, pan_x, pan_y, box, marker, point } drag = none;
  double from_x = 0, from_y = 0;       // values where it began; of a marker or a point: pixels to the pointer
  PlotRange held_x = {}, held_y = {};  // the ranges then: a dragged point does not move the axes
  std::string dragged_marker = {};
  PlotSpot dragged_point = {};
  bool operator==(const PlotView&) const = default;
};

}  // namespace attn
