// What is under the pointer: samples, and the parts of the plot that take it.
#include <cmath>

#include "app/plot/plot_parts.h"

namespace attn {
namespace {

constexpr float kPointReach = 5, kLineReach = 4, kFarReach = 44;  // points around discs, markers, samples
constexpr float kEndReach = 7;                                    // points above and below the end of a bar

// Smaller is meant rather: a disc or a bar under the pointer over a curve nearby over a disc further away.
struct Candidate {
  FoundSample found;
  int rank = 3;
  bool before(const std::optional<Candidate>& other) const {
    return !other || rank < other->rank || (rank == other->rank && found.distance < other->found.distance);
  }
};

float distance(ImVec2 a, ImVec2 b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

// From a point to the line between two others.
float distance_to(ImVec2 p, ImVec2 a, ImVec2 b) {
  const float dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
  const float t = square > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / square, 0.0f, 1.0f) : 0;
  return distance(p, {a.x + t * dx, a.y + t * dy});
}

ImVec2 place_of(const PlotScene& scene, const Series& series, std::size_t i) {
  return scene.pixel(series.x_at(i), series.y[i]);
}

// What is out of sight is no answer to a question about what is seen.
bool is_in_sight(const PlotScene& scene, ImVec2 at) {
  const Rect& inside = scene.layout.inside;
  const float slack = scene.px(kLineReach);
  return at.x >= inside.min.x - slack && at.x <= inside.max.x + slack && at.y >= inside.min.y - slack &&
         at.y <= inside.max.y + slack;
}

// The nearest of all samples within `reach`. Values are compared, not pixels: of a hundred thousand samples
// few are worth a logarithm.
std::optional<FoundSample> nearest_of_all(const PlotScene& scene, std::size_t s, ImVec2 pointer,
                                          float reach) {
  const Series& series = scene.plot.series[s];
  const AxisScale &x = scene.layout.x, &y = scene.layout.y;
  const auto px = static_cast<double>(pointer.x), py = static_cast<double>(pointer.y),
             r = static_cast<double>(reach);
  const PlotRange across{x.value(px - r), x.value(px + r)}, up{y.value(py + r), y.value(py - r)};
  std::optional<FoundSample> best;
  for (std::size_t i = 0; i < series.count(); ++i) {
    const double at_x = series.x_at(i), at_y = series.y[i];
    if (!(at_x >= across.low && at_x <= across.high && at_y >= up.low && at_y <= up.high)) continue;
    const ImVec2 at = scene.pixel(at_x, at_y);
    const float d = distance(at, pointer);
    if (is_in_sight(scene, at) && d <= reach && (!best || d < best->distance))
      best = FoundSample{{s, i}, at, d};
  }
  return best;
}

std::optional<Candidate> point_at(const PlotScene& scene, std::size_t s, ImVec2 pointer) {
  const float reach = scene.px(scene.plot.series[s].radius + kPointReach);
  if (const auto near = nearest_of_all(scene, s, pointer, reach)) return Candidate{*near, 0};
  if (const auto far = nearest_of_all(scene, s, pointer, scene.px(kFarReach))) return Candidate{*far, 3};
  return std::nullopt;
}

// Of an ordered curve: the sample whose x is nearest, at the distance of the line.
std::optional<Candidate> curve_at(const PlotScene& scene, std::size_t s, ImVec2 pointer) {
  const Series& series = scene.plot.series[s];
  const float reach = scene.px(kFarReach);
  if (!scene.facts[s]->ordered) {
    const auto found = nearest_of_all(scene, s, pointer, reach);
    return found ? std::optional(Candidate{*found, 2}) : std::nullopt;
  }
  const std::size_t next = first_from(series, scene.layout.x.value(static_cast<double>(pointer.x)));
  std::optional<FoundSample> best;
  float line = reach;
  for (std::size_t i = next > 1 ? next - 2 : 0; i < std::min(next + 2, series.count()); ++i) {
    const ImVec2 at = place_of(scene, series, i);
    if (std::isnan(at.x) || std::isnan(at.y)) continue;
    line = std::min(line, distance(pointer, at));
    if (i + 1 < series.count())
      if (const ImVec2 b = place_of(scene, series, i + 1); !std::isnan(b.y))
        line = std::min(line, distance_to(pointer, at, b));
    const float aside = std::abs(at.x - pointer.x);
    if (!best || aside < std::abs(best->at.x - pointer.x)) best = FoundSample{{s, i}, at, 0};
  }
  if (!best || line >= reach) return std::nullopt;
  best->distance = line;
  return Candidate{*best, 2};
}

// The bar or stem that the pointer is on, or in the column of.
std::optional<Candidate> upright_at(const PlotScene& scene, std::size_t s, ImVec2 pointer) {
  const Series& series = scene.plot.series[s];
  const bool bars = series.kind == SeriesKind::bars;
  const float base = base_pixel(scene, series);
  const double x = scene.layout.x.value(static_cast<double>(pointer.x));
  std::optional<Candidate> best;
  for (std::size_t i = 0; i < series.count(); ++i) {
    const PlotRange bar = series.bar_at(series.x_at(i));
    const ImVec2 at = place_of(scene, series, i);
    const bool in_column =
        bars ? x >= bar.low && x <= bar.high : std::abs(at.x - pointer.x) <= scene.px(kLineReach);
    if (!in_column || std::isnan(at.y)) continue;
    const float slack = scene.px(kLineReach);
    const bool on = pointer.y >= std::min(at.y, base) - slack && pointer.y <= std::max(at.y, base) + slack;
    // On one of several the nearest top counts, but all of it is the sample.
    const float off = std::abs(pointer.y - at.y) * (on ? 1e-3f : 1);
    const Candidate candidate{{{s, i}, at, off}, on ? 1 : 3};
    if ((on || is_in_sight(scene, at)) && candidate.before(best)) best = candidate;
  }
  return best;
}

bool near_marker(const PlotScene& scene, const PlotMarker& marker, const PlacedWords& label, ImVec2 pointer) {
  if (!label.text.empty() && label.box.contains(pointer)) return true;
  const float at = pixel_of(scene, marker);
  return scene.layout.inside.contains(pointer) &&
         std::abs((marker.vertical ? pointer.x : pointer.y) - at) <= scene.px(kLineReach);
}

// The end of a bar in whose column the pointer is.
std::optional<FoundSample> end_at(const PlotScene& scene, std::size_t s, ImVec2 pointer) {
  const Series& series = scene.plot.series[s];
  const double x = scene.layout.x.value(static_cast<double>(pointer.x));
  std::optional<FoundSample> best;
  for (std::size_t i = 0; i < series.count(); ++i) {
    const PlotRange bar = series.bar_at(series.x_at(i));
    if (x < bar.low || x > bar.high || std::isnan(series.y[i])) continue;
    const ImVec2 at = place_of(scene, series, i);
    const float off = std::abs(pointer.y - at.y);
    if (off <= scene.px(kEndReach) && (!best || off < best->distance)) best = FoundSample{{s, i}, at, off};
  }
  return best;
}

std::optional<FoundSample> draggable_sample(const PlotScene& scene, ImVec2 pointer) {
  std::optional<FoundSample> best;
  for (std::size_t s = 0; s < scene.plot.series.size(); ++s) {
    const Series& series = scene.plot.series[s];
    if (!series.draggable || !scene.facts[s]) continue;
    const auto found = series.kind == SeriesKind::bars
                           ? end_at(scene, s, pointer)
                           : nearest_of_all(scene, s, pointer, scene.px(series.radius + kPointReach));
    if (found && (!best || found->distance < best->distance)) best = found;
  }
  return best;
}

}  // namespace

double height_at(const Series& series, const PlotLayout& layout, float across) {
  const double x = layout.x.value(static_cast<double>(across));
  // A hair aside: the value of a sample's own pixel may miss it by rounding.
  const double hair = layout.x.resolution(x) * 1e-6;
  const std::size_t next = first_from(series, x - hair);
  if (next >= series.count()) return SeriesFacts::kNone;
  if (series.x_at(next) <= x + hair) return series.y[next];
  if (next == 0) return SeriesFacts::kNone;
  const double x0 = layout.x.place(series.x_at(next - 1)), x1 = layout.x.place(series.x_at(next));
  const double y0 = layout.y.place(series.y[next - 1]), y1 = layout.y.place(series.y[next]);
  return layout.y.value(y0 + (y1 - y0) * (static_cast<double>(across) - x0) / (x1 - x0));
}

std::optional<FoundSample> find_sample(const PlotScene& scene, ImVec2 pointer) {
  std::optional<Candidate> best;
  for (std::size_t s = 0; s < scene.plot.series.size(); ++s) {
    if (!scene.facts[s] || scene.facts[s]->shown == 0) continue;
    std::optional<Candidate> candidate;
    switch (scene.plot.series[s].kind) {
      case SeriesKind::points:
        candidate = point_at(scene, s, pointer);
        break;
      case SeriesKind::bars:
      case SeriesKind::stems:
        candidate = upright_at(scene, s, pointer);
        break;
      default:
        candidate = curve_at(scene, s, pointer);
    }
    if (candidate && candidate->before(best)) best = candidate;
  }
  return best ? std::optional(best->found) : std::nullopt;
}

PlotTarget target_at(const PlotScene& scene, ImVec2 pointer) {
  const PlotLayout& layout = scene.layout;
  if (layout.empty()) return {};
  for (std::size_t i = 0; i < layout.legend.entries.size(); ++i)
    if (layout.legend.entries[i].box.contains(pointer)) return {.kind = PlotTarget::legend, .index = i};
  if (layout.inside.contains(pointer)) {
    if (const auto point = draggable_sample(scene, pointer))
      return {.kind = PlotTarget::point, .spot = point->spot};
    for (std::size_t i = 0; i < scene.plot.markers.size(); ++i)
      if (scene.plot.markers[i].draggable &&
          near_marker(scene, scene.plot.markers[i], scene.words.markers[i], pointer))
        return {.kind = PlotTarget::marker, .index = i};
    return {.kind = PlotTarget::area};
  }
  if (layout.x_axis.contains(pointer)) return {.kind = PlotTarget::axis_x};
  if (layout.y_axis.contains(pointer)) return {.kind = PlotTarget::axis_y};
  return {};
}

}  // namespace attn
