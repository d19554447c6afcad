// Bars and stems: what stands on the base line. Where several share their pixels the tallest is drawn.
#include <cmath>

#include "app/plot/plot_numbers.h"
#include "app/plot/plot_parts.h"

namespace attn {
namespace {

constexpr float kOverlapAlpha = 0.78f;
constexpr std::size_t kMostNumbered = 64, kMostSingle = 64;  // bars

float line_width(const PlotScene& scene) {
  return std::max(1.0f, std::floor(scene.theme.scale));
}

// Whole pixels. Empty: it has no place, or is out of sight.
Rect bar_of(const PlotScene& scene, const Series& series, std::size_t i) {
  const PlotRange ends = series.bar_at(series.x_at(i));
  const float base = std::round(base_pixel(scene, series)),
              top = std::round(scene.layout.y.pixel(series.y[i]));
  float left = std::round(scene.layout.x.pixel(ends.low)),
        right = std::round(scene.layout.x.pixel(ends.high));
  const Rect& inside = scene.layout.inside;
  if (std::isnan(top) || std::isnan(right) || right < inside.min.x || left > inside.max.x) return {};
  if (std::isnan(left)) left = inside.min.x;  // it reaches below 0 on a logarithmic axis
  // Neighbours that touch are parted where they are wide enough.
  if (right - left > scene.px(4)) right -= line_width(scene);
  const float least = series.y[i] == series.base ? 0 : 1;  // what is not nothing is seen
  return {{left, std::min(top, base - least)}, {std::max(right, left + 1), std::max(top, base)}};
}

// Histograms over each other shine through.
bool overlaps_others(const PlotScene& scene, std::size_t s) {
  const Series& own = scene.plot.series[s];
  for (std::size_t k = 0; k < scene.plot.series.size(); ++k) {
    const Series& other = scene.plot.series[k];
    if (k == s || other.kind != SeriesKind::bars || !is_drawn(scene, k)) continue;
    for (std::size_t i = 0; i < std::min(own.count(), other.count()); ++i) {
      const PlotRange a = own.bar_at(own.x_at(i)), b = other.bar_at(other.x_at(i));
      const double both = std::min(a.high, b.high) - std::max(a.low, b.low);
      if (both > 0.05 * (a.high - a.low + b.high - b.low) && !std::isnan(own.y[i]) && !std::isnan(other.y[i]))
        return true;
    }
  }
  return false;
}

// In the middle over the bar, or under one that hangs.
PlacedWords number_of(const PlotScene& scene, const Series& series, std::size_t i, Rect bar) {
  const ImFont* font = scene.theme.fonts.small;
  const double y = series.y[i];
  const std::string text = readout_text(scene.plot.y.format, y, std::abs(y) / 100);
  const float width = text_width(font, text), height = line_height(font),
              gap = scene.px(series.draggable ? 5 : 2);
  const float left = std::round((bar.min.x + bar.max.x - width) / 2);
  const float top = y < series.base ? bar.max.y + gap : bar.min.y - gap - height;
  return {text, {{left, top}, {left + width, top + height}}};
}

// What a bar is dragged by: its end.
void draw_handle(const PlotScene& scene, const Series& series, Rect bar, std::size_t i) {
  if (bar.width() <= 0) return;
  const float half = scene.px(2.5f), end = series.y[i] < series.base ? bar.max.y : bar.min.y;
  scene.list.AddRectFilled({bar.min.x - half, end - half}, {bar.max.x + half, end + half}, scene.theme.text,
                           half);
}

bool is_within(const Rect& box, const Rect& inside) {
  return box.min.x >= inside.min.x && box.max.x <= inside.max.x && box.min.y >= inside.min.y &&
         box.max.y <= inside.max.y;
}

}  // namespace

void draw_bars(const PlotScene& scene, std::size_t s) {
  const Series& series = scene.plot.series[s];
  const ShadeColours colours(scene, s);
  const float alpha = overlaps_others(scene, s) ? kOverlapAlpha : 1;
  Rect last{};
  ImU32 last_colour = 0;
  const auto flush = [&] {
    const float rounding = last.width() > scene.px(7) ? scene.px(2) : 0;
    if (last.width() > 0) scene.list.AddRectFilled(last.min, last.max, last_colour, rounding);
  };
  for (std::size_t i = 0; i < series.count(); ++i) {
    const Rect bar = bar_of(scene, series, i);
    if (bar.width() <= 0) continue;
    if (series.count() > kMostSingle && bar.min.x == last.min.x && bar.max.x == last.max.x) {
      last.min.y = std::min(last.min.y, bar.min.y), last.max.y = std::max(last.max.y, bar.max.y);
      continue;
    }
    flush();
    last = bar, last_colour = with_alpha(colours.of(i), alpha);
  }
  flush();
  if (series.draggable && series.count() <= kMostSingle)
    for (std::size_t i = 0; i < series.count(); ++i) draw_handle(scene, series, bar_of(scene, series, i), i);
}

void draw_stems(const PlotScene& scene, std::size_t s) {
  const Series& series = scene.plot.series[s];
  const ShadeColours colours(scene, s);
  const float base = base_pixel(scene, series),
              width = std::max(1.0f, std::round(scene.px(series.thickness)));
  Rect last{};
  for (std::size_t i = 0; i < series.count(); ++i) {
    const ImVec2 p = scene.pixel(series.x_at(i), series.y[i]);
    if (std::isnan(p.x) || std::isnan(p.y)) continue;
    const float left = std::round(p.x - width / 2);
    const Rect stem{{left, std::min(p.y, base)}, {left + width, std::max(p.y, base)}};
    const bool hidden = stem.min.x == last.min.x && stem.min.y >= last.min.y && stem.max.y <= last.max.y;
    if (hidden) continue;
    scene.list.AddRectFilled(stem.min, stem.max, colours.of(i));
    last = stem;
  }
}

// Where they touch neither a bar nor each other.
void draw_bar_numbers(const PlotScene& scene) {
  std::vector<Rect> taken = places_of_words(scene);
  std::vector<PlacedWords> numbers;
  for (std::size_t s = 0; s < scene.plot.series.size(); ++s) {
    const Series& series = scene.plot.series[s];
    if (series.kind != SeriesKind::bars || !is_drawn(scene, s)) continue;
    for (std::size_t i = 0; i < std::min(series.count(), kMostNumbered); ++i) {
      const Rect bar = bar_of(scene, series, i);
      if (bar.width() <= 0) continue;
      taken.push_back(bar);
      if (series.numbers) numbers.push_back(number_of(scene, series, i, bar));
    }
  }
  for (const PlacedWords& number : numbers) {
    if (!is_within(number.box, scene.layout.inside)) continue;
    if (std::ranges::any_of(taken, [&](const Rect& other) { return overlap(number.box, other); })) continue;
    draw_text(scene.list, scene.theme.fonts.small, number.box.min, scene.theme.text, number.text);
    taken.push_back({{number.box.min.x - scene.px(3), number.box.min.y},
                     {number.box.max.x + scene.px(3), number.box.max.y}});
  }
}

}  // namespace attn
