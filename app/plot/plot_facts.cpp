// Ranges of data: of a series, and of a plot that shows all of them.
#include "app/plot/plot_facts.h"

#include <bit>
#include <cmath>

#include "app/plot/plot_axis.h"
#include "app/theme/hash.h"

namespace attn {
namespace {

constexpr double kRoomY = 0.05, kRoomX = 0.03, kRoomNumbers = 0.14;  // of the range, on each side

void include(PlotRange& range, double value) {
  if (!(value >= range.low)) range.low = value;
  if (!(value <= range.high)) range.high = value;
}

bool has_place(double value, bool log) {
  return std::isfinite(value) && (!log || value > 0);
}

void include_placed(PlotRange& range, double value, bool log) {
  if (has_place(value, log)) include(range, value);
}

bool has_base(const Series& series) {
  return series.kind == SeriesKind::bars || series.kind == SeriesKind::stems ||
         (series.kind == SeriesKind::band && series.y2.empty());
}

// Wider by `low` and `high` of its length, as the axis measures it.
PlotRange with_room(PlotRange range, bool log, double low, double high) {
  range = proper_range(range, log);
  if (log) {
    const double ratio = std::log(range.high / range.low);
    return {range.low * std::exp(-low * ratio), range.high * std::exp(high * ratio)};
  }
  const double length = range.high - range.low;
  return {range.low - low * length, range.high + high * length};
}

PlotRange as_asked(PlotRange range, const PlotAxis& axis, bool log) {
  if (axis.low && has_place(*axis.low, log)) range.low = *axis.low;
  if (axis.high && has_place(*axis.high, log)) range.high = *axis.high;
  return proper_range(range, log);
}

}  // namespace

SeriesFacts facts_of(const Series& series, bool log_x, bool log_y) {
  SeriesFacts facts;
  double before = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0, count = series.count(); i < count; ++i) {
    const double x = series.x_at(i), y = series.y[i];
    facts.ordered = facts.ordered && x >= before;
    before = x;
    if (!std::isfinite(x) || !std::isfinite(y)) continue;
    if ((log_x && x <= 0) || (log_y && y <= 0)) {
      ++facts.left_out;
      continue;
    }
    ++facts.shown;
    include(facts.x, x);
    include(facts.y, y);
    if (i < series.y2.count) include_placed(facts.y, series.y2[i], log_y);
  }
  if (facts.shown == 0) return facts;
  if (has_base(series)) include_placed(facts.y, series.base, log_y);
  if (series.kind == SeriesKind::bars) {
    const PlotRange first = series.bar_at(facts.x.low), last = series.bar_at(facts.x.high);
    include_placed(facts.x, first.low, log_x);
    include_placed(facts.x, last.high, log_x);
  }
  return facts;
}

std::uint64_t key_of(const Samples& samples) {
  std::uint64_t key = mixed(samples.tensor.id(), samples.count);
  key = mixed(mixed(key, samples.first), samples.stride);
  return mixed(mixed(key, std::bit_cast<std::uint64_t>(samples.start)),
               std::bit_cast<std::uint64_t>(samples.step));
}

std::uint64_t key_of(const Series& series) {
  std::uint64_t key = mixed(static_cast<std::uint64_t>(series.kind), key_of(series.x));
  key = mixed(mixed(key, key_of(series.y)), key_of(series.y2));
  key = mixed(key, std::bit_cast<std::uint64_t>(series.base));
  return mixed(mixed(key, std::bit_cast<std::uint64_t>(series.width)),
               std::bit_cast<std::uint64_t>(series.ratio));
}

PlotFit fitted(const Plot& plot, bool log_x, bool log_y, const std::vector<const SeriesFacts*>& facts) {
  PlotRange x{SeriesFacts::kNone, SeriesFacts::kNone}, y = x;
  PlotRange lines = x;  // of what may run up to the sides of the plot: discs would be cut there
  double base = SeriesFacts::kNone, room = kRoomY;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (!facts[i] || facts[i]->shown == 0) continue;
    const Series& series = plot.series[i];
    const bool line = series.kind == SeriesKind::curve || series.kind == SeriesKind::band;
    for (const double end : {facts[i]->x.low, facts[i]->x.high}) {
      include(x, end);
      if (line) include(lines, end);
    }
    for (const double end : {facts[i]->y.low, facts[i]->y.high}) include(y, end);
    if (has_base(series)) base = series.base;
    if (series.numbers) room = kRoomNumbers;
  }
  const double left = lines.low <= x.low ? 0 : kRoomX, right = lines.high >= x.high ? 0 : kRoomX;
  // What stands on a line stands on the axis.
  const double below = base == y.low ? 0 : room, above = base == y.high ? 0 : room;
  return {as_asked(with_room(x, log_x, left, right), plot.x, log_x),
          as_asked(with_room(y, log_y, below, above), plot.y, log_y)};
}

std::size_t first_from(const Series& series, double x) {
  std::size_t low = 0, high = series.count();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    series.x_at(middle) < x ? low = middle + 1 : high = middle;
  }
  return low;
}

}  // namespace attn
