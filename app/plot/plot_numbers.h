// Numbers of plots in words: ticks that share a unit and decimals, and single numbers for read-outs.
#pragma once

#include <string>

#include "app/plot/plot.h"

namespace attn {

// How the ticks of a linear axis are written, so that they can be compared: "60 ms", "120 ms".
struct AxisNumbers {
  PlotAxis::Format format = PlotAxis::number;
  double unit = 1, step = 1;  // step: from tick to tick, in units of the axis
  const char* suffix = "";
  int decimals = 0;
  bool powers = false;  // as 2.5·10⁹
};

// For ticks a round `step` apart, the largest of magnitude `largest`.
AxisNumbers axis_numbers(PlotAxis::Format format, double largest, double step);
std::string tick_text(const AxisNumbers& numbers, double value);

// A tick of a logarithmic axis, which has its own unit: "1 µs", "1 024", "10⁻⁶".
std::string log_tick_text(PlotAxis::Format format, int base, double value);

// A number for itself, to about `resolution`: "3.718", "4 096", "1.24 ms", "25.2 MB", "12.5 %".
std::string readout_text(PlotAxis::Format format, double value, double resolution);

// "12 s left", of seconds; empty where it is nearly done.
std::string time_left_text(double seconds);

// With a thin space as thousands mark and "−" before what is negative.
std::string decimal_text(double value, int decimals);

}  // namespace attn
