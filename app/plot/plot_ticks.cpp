// Where ticks stand. Candidates are tried from the finest to the coarsest, until there are few enough.
#include "app/plot/plot_ticks.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/plot/plot_numbers.h"

namespace attn {
namespace {

using Values = std::vector<double>;

constexpr double kHair = 1e-9;  // of a step: 0.3 is on the grid of 0.1, whatever doubles make of it

// Round steps of time beyond a second, up to days.
constexpr std::array kTimeSteps{1.0,   2.0,   5.0,    10.0,   15.0,   30.0,    60.0,    120.0,   300.0,
                                600.0, 900.0, 1800.0, 3600.0, 7200.0, 10800.0, 21600.0, 43200.0, 86400.0};

// The multiples of `step` inside the range; how many there are is looked at before they are made.
double count_of(PlotRange range, double step) {
  return std::floor(range.high / step + kHair) - std::ceil(range.low / step - kHair) + 1;
}
Values multiples(PlotRange range, double step) {
  Values values;
  const double first = std::ceil(range.low / step - kHair), count = count_of(range, step);
  for (int i = 0; i < static_cast<int>(count); ++i)
    values.push_back(std::clamp((first + i) * step, range.low, range.high) + 0.0);
  return values;
}

// The n-th round step, in order of size.
double round_step(int n) {
  constexpr double kMantissas[] = {1, 2, 5};
  const int power = n >= 0 ? n / 3 : -((2 - n) / 3);
  // Powers below one as quotients: 1/1000 is nearer to a thousandth than pow(10, -3) need be.
  const double ten = std::pow(10, std::abs(power));
  const double mantissa = kMantissas[n - 3 * power];
  return power < 0 ? mantissa / ten : mantissa * ten;
}

// The next larger one where some step is too fine.
double next_step(PlotAxis::Format format, double step) {
  if (format == PlotAxis::seconds && step >= 1 - kHair && step < kTimeSteps.back() - kHair)
    return *std::ranges::find_if(kTimeSteps, [&](double s) { return s > step * (1 + kHair); });
  const double unit =
      format == PlotAxis::seconds && step >= kTimeSteps.back() - kHair ? kTimeSteps.back() : 1;
  const int n = static_cast<int>(std::lround(3 * std::log10(step / unit))) - 2;
  for (int i = n;; ++i)
    if (round_step(i) * unit > step * (1 + kHair)) return round_step(i) * unit;
}

// A few too many, thinned to the first and the last: they are round and inside all the same.
Values ends_of(const Values& values) {
  return {values.front(), values.back()};
}

struct LinearGrid {
  Values values;
  double step = 1;
};

LinearGrid linear_grid(PlotAxis::Format format, PlotRange range, int most) {
  const double span = range.high - range.low;
  double finer = round_step(static_cast<int>(std::floor(3 * std::log10(span / (8.0 * most)))));
  if (format == PlotAxis::seconds && span / most >= 1) finer = std::min(finer, 1.0);
  for (double step = finer;; finer = step, step = next_step(format, step)) {
    const double count = count_of(range, step);
    if (count > most) continue;
    if (count >= 2) return {multiples(range, step), step};
    // Between a step that is too fine and one that is too coarse: every second or third of the fine ones.
    for (const double wider : {2 * finer, 3 * finer, 4 * finer})
      if (count_of(range, wider) >= 2 && count_of(range, wider) <= most)
        return {multiples(range, wider), wider};
    return {ends_of(multiples(range, finer)), finer};
  }
}

// The powers of the base inside the range whose exponents `stride` divides.
Values powers(PlotRange range, double base, int stride) {
  const double unit = std::log(base) * stride;
  Values values;
  const double last = std::floor(std::log(range.high) / unit + kHair);
  for (double e = std::ceil(std::log(range.low) / unit - kHair); e <= last; ++e)
    values.push_back(std::clamp(std::pow(base, e * stride), range.low, range.high));
  return values;
}

// 1, 2 and 5 times the powers of ten.
Values one_two_five(PlotRange range) {
  Values values;
  const int first = 3 * static_cast<int>(std::floor(std::log10(range.low)));
  for (int n = first; round_step(n) <= range.high * (1 + kHair); ++n)
    if (round_step(n) >= range.low * (1 - kHair))
      values.push_back(std::clamp(round_step(n), range.low, range.high));
  return values;
}

// Powers thinned by these strides, the finest first. Units change every third power of ten: 1 µs, 1 ms, 1 s.
int next_stride(int stride, bool binary, bool units) {
  if (units && stride == 1) return 3;
  return binary || stride != 2 ? 2 * stride : 3;
}

Values log_values(const PlotAxis& axis, PlotRange range, int most) {
  const auto limit = static_cast<std::size_t>(most);
  const bool binary = axis.log_base == 2 && axis.format == PlotAxis::number;
  const bool units = axis.format == PlotAxis::seconds || axis.format == PlotAxis::bytes;
  constexpr double kFew = 30;  // from low to high: whole powers alone would be one or two
  if (!binary && (!units || range.high / range.low < kFew))
    if (Values values = one_two_five(range); values.size() >= 3 && values.size() <= limit) return values;
  Values finer;
  for (int stride = 1;; stride = next_stride(stride, binary, units)) {
    Values values = powers(range, binary ? 2 : 10, stride);
    if (values.size() <= limit) {
      if (values.size() >= 2) return values;
      return finer.size() >= 2 ? ends_of(finer) : Values();  // too few: it is hardly logarithmic
    }
    finer = std::move(values);
  }
}

std::vector<Tick> named_ticks(const std::vector<std::string>& names, PlotRange range, int most) {
  const PlotRange named{std::max(range.low, 0.0),
                        std::min(range.high, static_cast<double>(names.size()) - 1)};
  int n = 0;
  while (count_of(named, round_step(n)) > most) ++n;
  std::vector<Tick> ticks;
  for (const double value : multiples(named, round_step(n)))
    ticks.push_back({value, names[static_cast<std::size_t>(value)]});
  return ticks;
}

}  // namespace

std::vector<Tick> plot_ticks(const PlotAxis& axis, bool log, PlotRange range, int most) {
  most = std::clamp(most, 2, 64);
  if (axis.names) return named_ticks(*axis.names, range, most);
  std::vector<Tick> ticks;
  if (log)
    for (const double value : log_values(axis, range, most))
      ticks.push_back({value, log_tick_text(axis.format, axis.log_base, value)});
  if (!ticks.empty()) return ticks;
  const double unit = axis.format == PlotAxis::percent ? 100 : 1;
  LinearGrid grid = linear_grid(axis.format, {range.low * unit, range.high * unit}, most);
  const AxisNumbers numbers =
      axis_numbers(axis.format, std::max(std::abs(range.low), std::abs(range.high)), grid.step / unit);
  for (const double value : grid.values) ticks.push_back({value / unit, tick_text(numbers, value / unit)});
  return ticks;
}

}  // namespace attn
