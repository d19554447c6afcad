// The line of a series on screen: its samples in pixels, as few points as show the same.
#pragma once

#include <vector>

#include "app/frame/memos.h"
#include "app/plot/plot_axis.h"

namespace attn {

// Lines with gaps between them.
struct PlotPath {
  std::vector<ImVec2> points;
  std::vector<std::size_t> ends;  // of each line in `points`
  std::size_t bytes() const { return bytes_of_all(points, ends); }
};

struct PathOptions {
  Rect box;          // lines are cut a little outside of it
  float column = 1;  // pixels: of many samples in a column this wide, the lowest and the highest are kept
  float tolerance = 0.3f;  // pixels: how far samples that are left out may lie from the line
  bool ordered = true;
};

// Through x and `y` (the series' y or y2).
PlotPath plot_path(const Series& series, const Samples& y, const AxisScale& across, const AxisScale& up,
                   const PathOptions& options);

// Without points nearer than `tolerance` pixels to the lines that remain.
std::vector<ImVec2> simplified(const std::vector<ImVec2>& line, float tolerance);

}  // namespace attn
