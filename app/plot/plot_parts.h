// The parts that draw_plot() is made of, each in a file of its own.
#pragma once

#include <optional>

#include "app/plot/plot_layout.h"
#include "app/plot/plot_memo.h"

namespace attn {

// Where words over the data stand, by index of the marker or the note; empty ones have no room.
struct PlotWords {
  std::vector<PlacedWords> markers, notes;
};

// What all parts look at.
struct PlotScene {
  const Theme& theme;
  Textures& textures;
  const Plot& plot;
  const PlotLayout& layout;
  const PlotWords& words;
  const std::vector<SeriesLook>& looks;
  const std::vector<const SeriesFacts*>& facts;  // null: hidden
  PlotMemo& memo;
  ImDrawList& list;

  float px(float points) const { return theme.px(points); }
  ImVec2 pixel(double x, double y) const { return {layout.x.pixel(x), layout.y.pixel(y)}; }
};

// The sample that the pointer is about, and how far from it.
struct FoundSample {
  PlotSpot spot;
  ImVec2 at;  // pixels
  float distance = 0;
};

// What is under the pointer. Nearer things win: a legend over points, points over markers, these over the
// area.
struct PlotTarget {
  enum Kind { none, legend, point, marker, axis_x, axis_y, area } kind = none;
  std::size_t index = 0;  // of a legend's entry or a marker
  PlotSpot spot = {};     // of a point
};

// Background, grid, numbers and titles. The frame comes after the data, which it cuts off.
void draw_axes(const PlotScene& scene);
void draw_border(const PlotScene& scene);
void draw_legend(const PlotScene& scene, const PlotTarget& target);

// Everything with numbers of its own, clipped to the inside.
void draw_series(const PlotScene& scene);

void draw_bars(const PlotScene& scene, std::size_t s);
void draw_stems(const PlotScene& scene, std::size_t s);
void draw_bar_numbers(const PlotScene& scene);

bool is_drawn(const PlotScene& scene, std::size_t s);  // shown, and with something to show
// Where what stands on the base begins.
float base_pixel(const PlotScene& scene, const Series& series);

// The colours of a series' samples.
class ShadeColours {
 public:
  ShadeColours(const PlotScene& scene, std::size_t s);
  ImU32 of(std::size_t i) const;

 private:
  const Series& series_;
  ImU32 plain_, none_;
  std::vector<ImU32> shades_;  // from 0 to 1; empty: the series has none
};

PlotWords place_words(const PlotScene& scene);
std::vector<Rect> places_of_words(const PlotScene& scene);  // and of the legend
std::size_t hidden_by(const PlotScene& scene, Rect box);    // samples, and probes of curves
void draw_markers(const PlotScene& scene);
void draw_notes(const PlotScene& scene);
inline constexpr float kLabelPadX = 7, kLabelPadY = 3;  // points, in the boxes of draggable markers
// Upright draggable ones have a box to take hold of.
bool is_boxed(const PlotMarker& marker);
float pixel_of(const PlotScene& scene, const PlotMarker& marker);
bool is_seen(const PlotScene& scene, const PlotMarker& marker);

// The nearest sample that is near enough to be meant.
std::optional<FoundSample> find_sample(const PlotScene& scene, ImVec2 pointer);
// The value of an ordered curve at a pixel across, straight between its samples; NaN: it has none there.
double height_at(const Series& series, const PlotLayout& layout, float across);
PlotTarget target_at(const PlotScene& scene, ImVec2 pointer);

// Crosshair, ring and words about what the pointer is at, and what has to be said about left-out samples.
void draw_readout(const PlotScene& scene, const std::optional<FoundSample>& found, ImVec2 pointer);
void draw_hints(const PlotScene& scene, bool hovered);

// Answers the mouse: the item over the whole plot is the last one. The x that has to stay under the pointer,
// if there is one.
std::optional<double> plot_mouse(const PlotScene& scene, PlotView& view, const PlotFit& fit,
                                 PlotEvents& events);
// Answers the keys, while the item has the focus.
void plot_keys(const PlotScene& scene, PlotView& view, const PlotFit& fit, PlotEvents& events);
void draw_box(const PlotScene& scene, const PlotView& view);

void draw_plot_menu(const PlotScene& scene, PlotView& view, const PlotFit& fit, PlotEvents& events);
// Shows all data again, also for a range that is locked.
void fit_plot(PlotView& view, const PlotFit& fit);
void toggle_hidden(PlotView& view, const std::string& name);
// All others are hidden; when they already are, all are shown.
void isolate(const Plot& plot, PlotView& view, const std::string& name);

}  // namespace attn
