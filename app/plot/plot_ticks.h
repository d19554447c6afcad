// Ticks: round values inside a range, as many as there is room for, and what is written at them.
#pragma once

#include <string>
#include <vector>

#include "app/plot/plot.h"

namespace attn {

struct Tick {
  double value = 0;
  std::string text;
};

// At most `most` (at least 2) ticks inside the range, in order: 1, 2 or 5 times a power of ten apart (of
// times: also quarters of minutes and hours); on a logarithmic axis powers of its base, every second or third
// of them where they are many, or 1, 2 and 5 times powers of ten where they are few. Never fewer than two,
// except for names. The range is a proper_range().
std::vector<Tick> plot_ticks(const PlotAxis& axis, bool log, PlotRange range, int most);

}  // namespace attn
