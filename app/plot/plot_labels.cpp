// Where the words of markers and notes go: inside the plot, clear of the legend, of each other and, where
// there is a choice, of the data. What finds no room is left out; its line or mark stays.
#include <cmath>

#include "app/plot/plot_parts.h"

namespace attn {
namespace {

constexpr float kMarkGap = 6;  // points
constexpr int kMostRows = 3;   // tried from either end of an upright line

bool is_free(const Rect& box, const Rect& inside, const std::vector<Rect>& taken) {
  const bool within = box.min.x >= inside.min.x && box.max.x <= inside.max.x && box.min.y >= inside.min.y &&
                      box.max.y <= inside.max.y;
  return within && std::ranges::none_of(taken, [&](const Rect& other) { return overlap(box, other); });
}

Rect box_at(float left, float top, ImVec2 size) {
  return {{std::round(left), std::round(top)}, {std::round(left) + size.x, std::round(top) + size.y}};
}

// In a box on the line, near the top.
std::vector<Rect> boxed_places(const PlotScene& scene, float at, ImVec2 size) {
  const Rect& inside = scene.layout.inside;
  const float left = std::clamp(at - size.x / 2, inside.min.x, std::max(inside.min.x, inside.max.x - size.x));
  std::vector<Rect> places;
  for (float top = inside.min.y + scene.px(kMarkGap); top + size.y < inside.max.y;
       top += size.y + scene.px(2))
    places.push_back(box_at(left, top, size));
  return places;
}

// Left and right of an upright line, at the bottom first.
std::vector<Rect> places_left_and_right(const PlotScene& scene, float at, ImVec2 size) {
  const Rect& inside = scene.layout.inside;
  const float gap = scene.px(kMarkGap), pitch = size.y + scene.px(2);
  std::vector<Rect> places;
  for (const bool bottom : {true, false})
    for (int row = 0; row < kMostRows; ++row) {
      const float aside = gap + static_cast<float>(row) * pitch;
      const float top = bottom ? inside.max.y - aside - size.y : inside.min.y + aside;
      for (const float left : {at + gap, at - gap - size.x}) places.push_back(box_at(left, top, size));
    }
  return places;
}

// Over a level line, at the left first, or under it.
std::vector<Rect> places_along(const PlotScene& scene, float at, ImVec2 size) {
  const Rect& inside = scene.layout.inside;
  const float gap = scene.px(kMarkGap), middle = (inside.min.x + inside.max.x - size.x) / 2;
  std::vector<Rect> places;
  for (const float top : {at - scene.px(2) - size.y, at + scene.px(3)})
    for (const float left : {inside.min.x + gap, inside.max.x - gap - size.x, middle})
      places.push_back(box_at(left, top, size));
  return places;
}

// Round a mark, above it first.
std::vector<Rect> places_around(const PlotScene& scene, ImVec2 at, ImVec2 size) {
  const float gap = scene.px(kMarkGap + 1);
  std::vector<Rect> places;
  for (const float rows : {-1.0f, 1.0f, -2.0f, 2.0f, 0.0f})
    for (const float left : {at.x + gap, at.x - gap - size.x})
      places.push_back(box_at(left, at.y - size.y / 2 + rows * (size.y / 2 + gap), size));
  return places;
}

// Of a bar or a stem; of a band the part at one of its samples.
Rect body_of(const PlotScene& scene, const Series& series, std::size_t i) {
  const double half = series.kind == SeriesKind::bars ? series.width / 2 : 0;
  const float top = scene.layout.y.pixel(series.y[i]);
  const bool between = series.kind == SeriesKind::band && !series.y2.empty();
  const float foot = between ? scene.layout.y.pixel(series.y2[i]) : base_pixel(scene, series);
  return {{scene.layout.x.pixel(series.x_at(i) - half), std::min(top, foot)},
          {scene.layout.x.pixel(series.x_at(i) + half) + 1, std::max(top, foot) + 1}};
}

// How often a curve runs through the box.
std::size_t crossings(const PlotScene& scene, const Series& series, const Rect& box) {
  constexpr int kProbes = 5;
  std::size_t count = 0;
  for (int i = 0; i < kProbes; ++i) {
    const float x = box.min.x + (box.width() - 1) * static_cast<float>(i) / (kProbes - 1);
    count += box.contains({x, scene.layout.y.pixel(height_at(series, scene.layout, x))});
  }
  return count;
}

// How many of so many samples lie in the box.
std::size_t samples_in(const PlotScene& scene, const Series& series, const Rect& box) {
  constexpr std::size_t kMost = 512;
  const float radius = scene.px(series.radius);
  const std::size_t step = series.count() / kMost + 1;
  std::size_t count = 0;
  for (std::size_t i = 0; i < series.count(); i += step) {
    Rect body = body_of(scene, series, i);
    if (series.kind == SeriesKind::points) {
      const ImVec2 at = scene.pixel(series.x_at(i), series.y[i]);
      body = {{at.x - radius, at.y - radius}, {at.x + radius, at.y + radius}};
    }
    count += overlap(body, box);
  }
  return count;
}

// The first of the free places that hides the least.
PlacedWords best_place(const PlotScene& scene, const std::string& text, const std::vector<Rect>& places,
                       const std::vector<Rect>& taken) {
  PlacedWords best;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (const Rect& box : places) {
    if (!is_free(box, scene.layout.inside, taken)) continue;
    const std::size_t count = hidden_by(scene, box);
    if (count >= least) continue;
    best = {text, box}, least = count;
    if (count == 0) break;
  }
  return best;
}

std::vector<Rect> places_of(const PlotScene& scene, const PlotMarker& marker, ImVec2 size) {
  const float at = pixel_of(scene, marker);
  if (is_boxed(marker)) return boxed_places(scene, at, size);
  return marker.vertical ? places_left_and_right(scene, at, size) : places_along(scene, at, size);
}

// Lines of markers are no place for other words.
Rect strip_of(const PlotScene& scene, const PlotMarker& marker) {
  Rect strip = scene.layout.inside;
  const float at = pixel_of(scene, marker), half = scene.px(2);
  (marker.vertical ? strip.min.x : strip.min.y) = at - half;
  (marker.vertical ? strip.max.x : strip.max.y) = at + half;
  return strip;
}

}  // namespace

std::size_t hidden_by(const PlotScene& scene, Rect box) {
  std::size_t count = 0;
  for (std::size_t s = 0; s < scene.plot.series.size(); ++s) {
    const Series& series = scene.plot.series[s];
    if (!scene.facts[s]) continue;
    if (series.kind != SeriesKind::curve)
      count += samples_in(scene, series, box);
    else if (scene.facts[s]->ordered)
      count += crossings(scene, series, box);
  }
  return count;
}

bool is_boxed(const PlotMarker& marker) {
  return marker.draggable && marker.vertical;
}

float pixel_of(const PlotScene& scene, const PlotMarker& marker) {
  return marker.vertical ? scene.layout.x.pixel(marker.at) : scene.layout.y.pixel(marker.at);
}

bool is_seen(const PlotScene& scene, const PlotMarker& marker) {
  return marker.vertical ? scene.layout.x.shows(marker.at) : scene.layout.y.shows(marker.at);
}

std::vector<Rect> places_of_words(const PlotScene& scene) {
  std::vector<Rect> boxes;
  if (!scene.layout.legend.entries.empty()) boxes.push_back(scene.layout.legend.box);
  for (const auto* words : {&scene.words.markers, &scene.words.notes})
    for (const PlacedWords& placed : *words)
      if (!placed.text.empty()) boxes.push_back(placed.box);
  return boxes;
}

PlotWords place_words(const PlotScene& scene) {
  const Plot& plot = scene.plot;
  PlotWords words{std::vector<PlacedWords>(plot.markers.size()), std::vector<PlacedWords>(plot.notes.size())};
  std::vector<Rect> taken;
  if (!scene.layout.legend.entries.empty()) taken.push_back(scene.layout.legend.box);
  const ImFont* font = scene.theme.fonts.small;
  const float most = std::max(0.0f, scene.layout.inside.width() - scene.px(2 * kLabelPadX + 2 * kMarkGap));
  const auto size_of = [&](const std::string& text, bool boxed) {
    const ImVec2 size{std::ceil(text_width(font, text)), line_height(font)};
    return boxed ? ImVec2{size.x + scene.px(2 * kLabelPadX), size.y + scene.px(2 * kLabelPadY)} : size;
  };
  const auto place = [&](PlacedWords& placed, const std::string& text, const std::vector<Rect>& places,
                         const PlotMarker* own) {
    std::vector<Rect> all = taken;
    for (const PlotMarker& other : plot.markers)
      if (&other != own && is_seen(scene, other) && !(own && is_boxed(*own)))
        all.push_back(strip_of(scene, other));
    placed = best_place(scene, text, places, all);
    if (!placed.text.empty()) taken.push_back(placed.box);
  };
  for (std::size_t i = 0; i < plot.markers.size(); ++i) {
    const PlotMarker& marker = plot.markers[i];
    if (marker.label.empty() || !is_seen(scene, marker)) continue;
    const std::string text = elided(font, marker.label, most);
    place(words.markers[i], text, places_of(scene, marker, size_of(text, is_boxed(marker))), &marker);
  }
  for (std::size_t i = 0; i < plot.notes.size(); ++i) {
    const ImVec2 at = scene.pixel(plot.notes[i].x, plot.notes[i].y);
    const std::string text = elided(font, plot.notes[i].text, most);
    if (scene.layout.inside.contains(at) && !text.empty())
      place(words.notes[i], text, places_around(scene, at, size_of(text, false)), nullptr);
  }
  return words;
}

}  // namespace attn
