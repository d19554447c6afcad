// Markers and notes: lines at a value, words at a place. Words keep clear of the legend and of each other;
// what finds no room is left out, its line stays.
#include <cmath>

#include "app/plot/plot_parts.h"
#include "app/theme/contrast.h"
#include "app/widgets/strokes.h"

namespace attn {
namespace {

constexpr float kDot = 3.5f, kRim = 1.2f;  // points

void draw_line(const PlotScene& scene, const PlotMarker& marker, ImU32 colour) {
  const Rect& inside = scene.layout.inside;
  const float at = std::round(pixel_of(scene, marker)), width = std::max(1.0f, std::round(scene.px(1.25f)));
  const float begin = marker.vertical ? inside.min.y : inside.min.x,
              end = marker.vertical ? inside.max.y : inside.max.x;
  const float on = marker.dashed ? scene.px(5) : end - begin, off = scene.px(3);
  for (float from = begin; from < end; from += on + off) {
    const float to = std::min(from + on, end), left = at - std::floor(width / 2);
    marker.vertical ? scene.list.AddRectFilled({left, from}, {left + width, to}, colour)
                    : scene.list.AddRectFilled({from, left}, {to, left + width}, colour);
  }
}

// Words over data: on a ground that lets through little of what they lie on.
void draw_backed(const PlotScene& scene, const PlacedWords& words, ImU32 colour, bool backed) {
  const float pad = scene.px(2);
  if (backed)
    scene.list.AddRectFilled({words.box.min.x - pad, words.box.min.y},
                             {words.box.max.x + pad, words.box.max.y}, with_alpha(scene.theme.panel, 0.72f),
                             pad);
  draw_text(scene.list, scene.theme.fonts.small, words.box.min, colour, words.text);
}

void draw_label(const PlotScene& scene, const PlotMarker& marker, const PlacedWords& label, ImU32 colour) {
  if (label.text.empty()) return;
  ImVec2 at = label.box.min;
  if (is_boxed(marker)) {
    scene.list.AddRectFilled(at, label.box.max, scene.theme.chip, scene.px(4));
    scene.list.AddRect(at, label.box.max, colour, scene.px(4), 0, scene.px(1));
    at = {at.x + scene.px(kLabelPadX), at.y + scene.px(kLabelPadY)};
  }
  draw_backed(scene,
              {label.text, {at, {at.x + text_width(scene.theme.fonts.small, label.text), label.box.max.y}}},
              read_colour(scene.theme, colour, is_boxed(marker) ? scene.theme.chip : scene.theme.panel),
              !is_boxed(marker));
}

void draw_dot(const PlotScene& scene, ImVec2 at, float radius, ImU32 colour) {
  draw_disc(scene.list, scene.theme, at, radius + scene.px(kRim), scene.theme.panel);
  draw_disc(scene.list, scene.theme, at, radius, colour);
}

// Where the curves are at x.
void draw_dots(const PlotScene& scene, double x) {
  for (std::size_t s = 0; s < scene.plot.series.size(); ++s) {
    const Series& series = scene.plot.series[s];
    if (series.kind != SeriesKind::curve || !scene.facts[s] || !scene.facts[s]->ordered || !series.emphasised)
      continue;
    const float across = scene.layout.x.pixel(x);
    const ImVec2 at{across, scene.layout.y.pixel(height_at(series, scene.layout, across))};
    if (scene.layout.inside.contains(at)) draw_dot(scene, at, scene.px(kDot), scene.looks[s].colour);
  }
}

ImU32 colour_or(const PlotScene& scene, ImU32 colour, ImU32 other) {
  return colour == 0 ? other : seen_colour(scene.theme, colour);
}

}  // namespace

void draw_markers(const PlotScene& scene) {
  scene.list.PushClipRect(scene.layout.inside.min, scene.layout.inside.max, true);
  if (scene.plot.linked_x && scene.layout.x.shows(*scene.plot.linked_x)) {
    const PlotMarker linked{.id = {}, .at = *scene.plot.linked_x, .dashed = false};
    draw_line(scene, linked, scene.theme.outline_soft);
    draw_dots(scene, *scene.plot.linked_x);
  }
  for (std::size_t i = 0; i < scene.plot.markers.size(); ++i) {
    const PlotMarker& marker = scene.plot.markers[i];
    if (!is_seen(scene, marker)) continue;
    const ImU32 colour = colour_or(scene, marker.colour, scene.theme.text);
    draw_line(scene, marker, colour);
    if (marker.dots && marker.vertical) draw_dots(scene, marker.at);
  }
  for (std::size_t i = 0; i < scene.plot.markers.size(); ++i) {
    const PlotMarker& marker = scene.plot.markers[i];
    draw_label(scene, marker, scene.words.markers[i], colour_or(scene, marker.colour, scene.theme.text));
  }
  scene.list.PopClipRect();
}

void draw_notes(const PlotScene& scene) {
  for (std::size_t i = 0; i < scene.plot.notes.size(); ++i) {
    const PlotNote& note = scene.plot.notes[i];
    const ImVec2 at = scene.pixel(note.x, note.y);
    if (!scene.layout.inside.contains(at)) continue;
    const ImU32 colour = colour_or(scene, note.colour, scene.theme.text);
    const float radius = scene.px(kDot + 1);
    if (note.mark == PlotNote::disc) draw_dot(scene, at, radius, colour);
    if (note.mark == PlotNote::ring) {
      draw_disc(scene.list, scene.theme, at, radius + scene.px(kRim), scene.theme.panel);
      draw_ring(scene.list, at, radius, colour, scene.px(2));
    }
    if (!scene.words.notes[i].text.empty())
      draw_backed(scene, scene.words.notes[i], read_colour(scene.theme, colour, scene.theme.panel), true);
  }
}

}  // namespace attn
