// The points, the curve they were drawn around and the estimates; over the query the kernel, its weights as
// stems, and the points coloured by them. Points are added, dragged and removed here.
#include <algorithm>
#include <cmath>

#include "app/workspaces/kernels/scene.h"
#include "core/kernels/fields.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr const char* kPointsHint = "drag a point · click adds · Del removes · wheel: width";
constexpr double kWidthNotch = 1.1;           // wider a notch of the wheel
constexpr double kBelow = 0.42, kBump = 0.3;  // of the height of the data: room for the kernel, and its own
constexpr double kAround = 0.08;
constexpr float kDrawnReach = 4;  // widths that a kernel without an end is drawn to
constexpr std::size_t kBumpSamples = 121, kMostStems = 600;
constexpr double kLeastStem = 1e-3;  // of the highest: shorter ones are not seen

void widen(PlotRange& range, double value) {
  if (!std::isfinite(value)) return;
  range.low = std::min(range.low, value), range.high = std::max(range.high, value);
}

// Of everything that is drawn over the axis of values.
PlotRange range_of(const KernelsScene& scene, const Tensor& points) {
  PlotRange range{HUGE_VAL, -HUGE_VAL};
  for (std::size_t row = 0; row < points.rows(); ++row)
    widen(range, static_cast<double>(points[{0, row, std::min(scene.value + 1, points.columns() - 1)}]));
  for (std::size_t curve = 0; curve < scene.curves.size(); ++curve) {
    const Tensor& estimate = scene.memo.curve_y[curve];
    for (std::size_t i = 0; i < estimate.rows(); ++i)
      widen(range, static_cast<double>(estimate[{0, i, scene.value}]));
  }
  if (scene.view().truth)
    for (std::size_t i = 0; i < scene.memo.truth_y.count; ++i) widen(range, scene.memo.truth_y[i]);
  if (!(range.low <= range.high)) range = {0, 1};
  if (range.low == range.high) range.low -= 1, range.high += 1;
  return range;
}

const PlotRange& kept_range(KernelsScene& scene, const Tensor& points) {
  KernelsMemo& memo = scene.memo;
  const TensorId seen = points.id() * 2 + (scene.view().truth ? 1 : 0);
  if (memo.seen != seen || memo.value != scene.value)
    memo.range = range_of(scene, points), memo.seen = seen, memo.value = scene.value;
  return memo.range;
}

void add_points(KernelsScene& scene, Plot& plot, const Tensor& points) {
  Series series{.kind = SeriesKind::points,
                .colour = scene.frame.theme.dim,
                .radius = points.rows() > 300 ? 2.2f : 3.8f,
                .draggable = true};
  if (!points.empty()) {
    series.x = Samples::column_of(points, 0);
    series.y = Samples::column_of(points, std::min(scene.value + 1, points.columns() - 1));
  }
  const bool weighed = scene.view().weights && scene.memo.shades.count == points.rows();
  if (!scene.curves.empty() && weighed) {
    series.shade = scene.memo.shades;
    series.shades = scene.frame.theme.weights;
  }
  plot.series.push_back(std::move(series));
}

void add_truth(KernelsScene& scene, Plot& plot) {
  if (!scene.view().truth || scene.memo.truth_x.empty()) return;
  Samples y = scene.memo.truth_y;
  if (truth_of(scene.spec) == PointSet::classes && scene.value == 0 && scene.values() == 2) {
    std::vector<float> other;  // what is known is the probability of the second
    for (std::size_t i = 0; i < y.count; ++i) other.push_back(static_cast<float>(1 - y[i]));
    y = Samples::of(std::move(other));
  }
  plot.series.push_back({.name = "true curve",
                         .x = scene.memo.truth_x,
                         .y = y,
                         .colour = scene.frame.theme.dim,
                         .dashed = true});
}

// Of the value that is drawn; of the others thin dashes, of the shown curve alone.
void add_estimates(KernelsScene& scene, Plot& plot) {
  for (std::size_t curve = 0; curve < scene.curves.size(); ++curve) {
    const KernelStages& stages = scene.stages(curve);
    const auto add = [&](const std::string& name, const Tensor& numbers, std::size_t value, bool dashed,
                         float thickness) {
      plot.series.push_back({.name = name,
                             .x = scene.memo.curve_x[curve],
                             .y = Samples::column_of(numbers, value),
                             .colour = scene.colour(curve),
                             .dashed = dashed,
                             .thickness = thickness});
    };
    const Tensor& estimate = scene.memo.curve_y[curve];
    add(scene.title(curve), estimate, scene.value, false, curve == scene.shown ? 2.4f : 1.75f);
    if (stages.line)
      add(scene.title(curve) + ", local line", scene.numbers(*stages.line), scene.value, true, 1.4f);
    if (curve == scene.shown)
      for (std::size_t value = 0; value < std::min<std::size_t>(4, scene.values()); ++value)
        if (value != scene.value) add("class " + std::to_string(value), estimate, value, true, 1.2f);
  }
}

// In units of y, on the lower edge of what is seen.
void place_kernel(KernelsScene& scene, double base, double height) {
  KernelsMemo& memo = scene.memo;
  const QueryRow& row = row_of(scene);
  if (memo.base == base && memo.height == height && !memo.stems_x.empty()) return;
  memo.base = base, memo.height = height;
  const KernelCurve& curve = scene.curves[scene.shown];
  std::vector<float> x, y;
  if (curve.kernel == Kernel::dot || !has_width(curve.kernel)) {
    memo.bump_x = memo.bump_y = {};
  } else {
    const double top = kernel_value(curve.kernel, 0);
    for (const float kappa : kernel_heights(curve.kernel, static_cast<double>(kDrawnReach), kBumpSamples)) {
      const double u =
          static_cast<double>(kDrawnReach) * (2 * static_cast<double>(x.size()) / (kBumpSamples - 1) - 1);
      x.push_back(static_cast<float>(row.query + u * row.width));
      y.push_back(static_cast<float>(base + height * static_cast<double>(kappa) / top));
    }
    memo.bump_x = Samples::of(std::move(x)), memo.bump_y = Samples::of(std::move(y));
  }
  double most = 0;
  for (const double share : row.shares) most = std::max(most, share);
  std::vector<float> at, to;
  const std::size_t m = row.shares.size(), stride = m / kMostStems + 1;
  for (std::size_t j = 0; j < m; j += stride) {
    if (!(row.shares[j] > kLeastStem * most)) continue;
    at.push_back(scene.places().sorted.keys.values()[j]);
    to.push_back(static_cast<float>(base + height * 0.92 * row.shares[j] / most));
  }
  if (at.empty()) at.push_back(std::nanf("")), to.push_back(std::nanf(""));
  memo.stems_x = Samples::of(std::move(at)), memo.stems_y = Samples::of(std::move(to));
}

void add_weights(KernelsScene& scene, Plot& plot, double base, double height) {
  place_kernel(scene, base, height);
  const ImU32 colour = scene.colour(scene.shown);
  if (!scene.memo.bump_x.empty())
    plot.series.push_back({.kind = SeriesKind::band,
                           .x = scene.memo.bump_x,
                           .y = scene.memo.bump_y,
                           .base = base,
                           .colour = colour});
  plot.series.push_back({.kind = SeriesKind::stems,
                         .x = scene.memo.stems_x,
                         .y = scene.memo.stems_y,
                         .base = base,
                         .colour = colour,
                         .thickness = 1.6f});
}

void add_query(KernelsScene& scene, Plot& plot, const PlotRange& range) {
  const double q = scene.q(), f = scene.estimate(scene.shown);
  plot.markers.push_back({.id = "q", .at = q, .colour = scene.frame.theme.outline});
  const std::string place = "f(" + brief(three_digits(q)) + ")";
  if (std::isnan(f))
    plot.notes.push_back({.x = q,
                          .y = (range.low + range.high) / 2,
                          .text = place + ": no point in reach, no estimate",
                          .colour = scene.frame.theme.warning,
                          .mark = PlotNote::none});
  else
    plot.notes.push_back({.x = q,
                          .y = f,
                          .text = place + " = " + four_digits(f),
                          .colour = scene.frame.theme.text,
                          .mark = PlotNote::ring});
}

void tell(View& view, const std::string& words) {
  view.say(words, true);
}

void add_at(KernelsScene& scene, PlotPoint at) {
  KernelsSpec& spec = scene.frame.draft.kernels;
  const std::size_t count = spec.set == PointSet::own ? spec.points.rows() : spec.count;
  if (count >= kernels_field::kMostPoints)
    return tell(scene.frame.view, "there are " + std::to_string(count) + " points, and no more are kept");
  add_point(spec, static_cast<float>(at.x), static_cast<float>(at.y), scene.value);
  scene.view().selected = spec.points.rows() - 1;
}

void widen_by(KernelsSpec& spec, double notches) {
  if (spec.width_rule == WidthRule::neighbours)
    set_width(spec,
              static_cast<double>(spec.neighbours) + std::copysign(std::ceil(std::abs(notches)), notches));
  else
    set_width(spec, std::round(spec.widths[0] * std::pow(kWidthNotch, notches) * 1e6) / 1e6);
}

void answer(KernelsScene& scene, const PlotEvents& events) {
  View& view = scene.frame.view;
  KernelsSpec& spec = scene.frame.draft.kernels;
  KernelsView& at = scene.view();
  const std::size_t rows = shown_points(scene).rows();
  if (events.hovered && !events.active) {
    at.q = events.pointer.x;
    if (!view.pinned) view.inspected.reset();  // the inspector opens the query
  }
  if (events.wheel != 0) widen_by(spec, static_cast<double>(events.wheel));
  if (events.moved && events.moved->spot.sample < rows) {
    at.selected = events.moved->spot.sample;
    move_point(spec, *at.selected, static_cast<float>(events.moved->to.x),
               static_cast<float>(events.moved->to.y), scene.value);
  } else if (events.removed && events.removed->sample < rows) {
    remove_point(spec, events.removed->sample);
    at.selected.reset();
  } else if (events.clicked_sample && events.clicked_sample->series == 0) {
    at.selected = events.clicked_sample->sample;
  } else if (events.clicked) {
    add_at(scene, *events.clicked);
  }
}

Subtitle subtitle_of(const KernelsScene& scene) {
  const KernelsSpec& spec = scene.spec;
  if (scene.curves.empty()) return {{"no points: click to add one"}};
  const std::size_t count = scene.places().sorted.keys.rows();
  const std::string many = std::to_string(count) + (count == 1 ? " point" : " points");
  if (spec.width_rule == WidthRule::neighbours) return {{many}, {"k = " + std::to_string(spec.neighbours)}};
  if (spec.kernels.size() > 1) return {{many}, {"σ " + brief(spec.widths[0])}};
  return {{many}, {std::string(kernel_text(spec.kernels[0]).title)}};
}

}  // namespace

void draw_estimate(KernelsScene& scene, Rect area) {
  const Tensor points = shown_points(scene);
  if (scene.view().selected && *scene.view().selected >= points.rows()) scene.view().selected.reset();
  Plot plot{.id = "estimate",
            .title = "kernel regression",
            .subtitle = subtitle_of(scene),
            .x = {.title = "x"},
            .y = {},
            .clickable = true,
            .wheel_zooms = false,
            .cursor_hint = kPointsHint};
  const bool known = !scene.curves.empty();
  if (known) row_of(scene);
  const PlotRange range = kept_range(scene, points);
  const double span = range.high - range.low;
  const bool weights = known && scene.view().weights;
  plot.y.low = range.low - (weights ? kBelow : kAround) * span;
  plot.y.high = range.high + kAround * span;
  plot.x.low = std::min(scene.spec.first, scene.spec.last),
  plot.x.high = std::max(scene.spec.first, scene.spec.last);
  if (*plot.x.low == *plot.x.high) plot.x.low = *plot.x.low - 1, plot.x.high = *plot.x.high + 1;
  add_points(scene, plot, points);
  if (known) {
    add_truth(scene, plot);
    add_estimates(scene, plot);
    const std::optional<PlotRange> seen = scene.frame.canvas().plots[plot.id].y;
    const double low = seen ? seen->low : *plot.y.low, high = seen ? seen->high : *plot.y.high;
    if (weights) add_weights(scene, plot, low, (high - low) * kBump / (1 + kBelow + kAround));
    add_query(scene, plot, range);
    plot.shows = {scene.places().points, scene.places().keys, scene.places().values};
    for (const KernelStages& curve : scene.places().curves) {
      plot.shows.push_back(curve.estimate);
      if (curve.weights && weights) plot.shows.push_back(*curve.weights);
    }
  }
  if (scene.view().selected) plot.selected = PlotSpot{0, *scene.view().selected};
  answer(scene, draw_plot(scene.frame, plot, area));
}

}  // namespace attn
