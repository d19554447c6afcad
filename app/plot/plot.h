// Plots: curves, points, bars, stems and bands over two axes, read with the pointer and taken away.
//
// A Plot is a value that a workspace makes anew in every frame; what a person did to it (zoom, hidden series,
// axes) lives in a PlotView that the program's view keeps. draw_plot() draws one into the other and returns
// what the person wants changed; it never changes the data.
//
//   Plot plot{.id = "loss", .title = "loss", .x = {.title = "step"}, .y = {.log = true}};
//   plot.series.push_back({.name = "training", .y = Samples::of(losses)});
//   const PlotEvents events = draw_plot(frame, plot, area);
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/frame/frame.h"
#include "app/frame/plot_view.h"
#include "app/widgets/words.h"
#include "core/io/numbers_file.h"
#include "core/tensor/tensor.h"

namespace attn {

class Textures;

// The numbers of a series along one axis: every `stride`-th number of a tensor from `first` on, or, without a
// tensor, start + i·step. A tensor is shared, never copied; what is worked out of it is kept for its id, so
// give a large one, not a copy in every frame.
struct Samples {
  Tensor tensor;
  std::size_t first = 0, stride = 1, count = 0;
  double start = 0, step = 1;

  static Samples of(std::vector<float> values);
  static Samples of(const Tensor& tensor);                             // all its numbers, in order
  static Samples column_of(const Tensor& tensor, std::size_t column);  // of its first matrix
  static Samples range(double start, double step, std::size_t count);
  bool empty() const { return count == 0; }
  std::size_t bytes() const { return tensor.bytes(); }
  double operator[](std::size_t i) const {
    if (tensor.empty()) return start + static_cast<double>(i) * step;
    return static_cast<double>(tensor.data()[first + i * stride]);
  }
};

enum class SeriesKind {
  curve,   // a line through the samples, in order; NaN leaves a gap
  points,  // a disc a sample; very many become one picture of how dense they are
  bars,    // from `base` up (or down) to y, `width` wide on the x axis
  stems,   // a thin line from `base` to y
  band,    // the area between y and y2 (confidence, a kernel over its zero line)
};

struct Series {
  std::string name = {};  // of the legend; empty: not in it. Those of one name have one entry and one colour.
  SeriesKind kind = SeriesKind::curve;
  Samples x = {};  // empty: 0, 1, 2, …
  Samples y = {};
  Samples y2 = {};     // of a band; empty: `base`
  double base = 0;     // of bars, stems, bands; on a logarithmic axis what is not above 0 is the lower end
  double width = 0.8;  // of bars, in units of x
  double ratio = 0;  // of bars: from x ÷ √ratio to x·√ratio, for logarithmic axes; 0: as wide as `width`
  ImU32 colour = 0;         // 0: the next of the series colours
  bool dashed = false;      // curves
  float thickness = 1.75f;  // points (1/72 inch-like units of the theme): curves, stems
  float radius = 3.5f;      // points
  Samples shade = {};       // 0 … 1 for each sample: coloured by `shades` instead of `colour`
  MapKind shades = MapKind::viridis;
  bool numbers = false;    // bars: y above each, where it fits
  bool draggable = false;  // points: each may be dragged; bars: by their ends
  bool emphasised = true;  // false: drawn faintly, behind the others

  std::size_t count() const { return x.empty() ? y.count : std::min(x.count, y.count); }
  double x_at(std::size_t i) const { return x.empty() ? static_cast<double>(i) : x[i]; }
  // Of a bar at that x.
  PlotRange bar_at(double at) const {
    if (ratio <= 0) return {at - width / 2, at + width / 2};
    return {at / std::sqrt(ratio), at * std::sqrt(ratio)};
  }
};

struct PlotAxis {
  std::string title = {};  // "position", "tokens n"; with its unit: "time, s"
  enum Format { number, seconds, bytes, percent } format = number;
  bool log = false;                           // how it starts; a person may change it
  int log_base = 10;                          // 2: ticks at 16, 1 024, 65 536
  std::optional<double> low = {}, high = {};  // else what the data need
  // At 0, 1, 2, …, instead of numbers: tokens, heads.
  std::shared_ptr<const std::vector<std::string>> names = {};
};

// A line across the plot at one value of an axis, with a label; a drag moves it when it is draggable.
struct PlotMarker {
  std::string id = {};
  bool vertical = true;  // stands at an x
  double at = 0;
  std::string label = {};
  ImU32 colour = 0;  // 0: the theme's text
  bool dashed = true;
  bool draggable = false;
  bool dots = false;  // a vertical one: where it crosses the curves
};

// Words at a place of the plot: a result, a point worth knowing.
struct PlotNote {
  double x = 0, y = 0;
  std::string text = {};
  ImU32 colour = 0;  // 0: the theme's text
  enum Mark { none, disc, ring } mark = disc;
};

// Names in the corner that hides the least; names in their colours at the right of the plot; in lines below
// it; none.
enum class PlotLegend { inside, right, below, none };

struct Plot {
  std::string id;  // of the ID scope; its PlotView's name
  std::string title = {};
  Subtitle subtitle = {};
  PlotAxis x = {}, y = {};
  std::vector<Series> series = {};
  std::vector<PlotMarker> markers = {};
  std::vector<PlotNote> notes = {};
  std::optional<double> linked_x = {};    // a crosshair at this x, set by another view of the same thing
  std::optional<PlotSpot> selected = {};  // ringed: a point that Delete removes
  PlotLegend legend = PlotLegend::inside;
  bool clickable = false;           // a click on empty plot area is an event
  bool wheel_zooms = true;          // false: the wheel over the plot area is an event
  bool marker_takes_drags = false;  // a drag in the plot area moves the draggable marker; else it pans
  // Stages that it shows: where others are lit (frame/lit.h) it is dimmed. Empty: it shows none.
  std::vector<StageIndex> shows = {};
  std::function<void()> menu = {};  // entries of the plot's menu above its own
  std::string cursor_hint = {};     // quiet words at the bottom of the plot while the pointer is over it
};

struct PlotPoint {
  double x = 0, y = 0;
};

// What the person did in this frame that concerns the data.
struct PlotEvents {
  bool hovered = false;                  // the pointer is over the plot area
  PlotPoint pointer = {};                // there, in units of the axes
  std::optional<PlotSpot> nearest = {};  // the sample that the read-out is about
  std::optional<PlotSpot> clicked_sample = {};
  std::optional<PlotPoint> clicked = {};  // on empty area of a clickable plot
  // A sample of a draggable series, by a double-click, or the selected one by Enter: its number is to be
  // typed.
  std::optional<PlotSpot> opened = {};
  std::optional<PlotSpot> removed = {};  // Delete or Backspace on the selected point
  struct Moved {
    PlotSpot spot;
    PlotPoint to;
  };
  std::optional<Moved> moved = {};  // a draggable sample, while it is dragged
  struct MarkerMoved {
    std::string id;
    double to = 0;
  };
  std::optional<MarkerMoved> marker = {};  // a draggable marker, while it is dragged
  bool active = false;  // a point or a marker is being dragged: one gesture, one step of undo
  float wheel = 0;      // notches over the plot area that did not zoom
  std::optional<SavePicture> picture = {};    // by the menu
  std::optional<NumbersFormat> numbers = {};  // to be saved, by the menu
};

// Inside a window; its item is "ID/plot". Nothing is drawn outside `area`, and what it has no room for is
// left out.
PlotEvents draw_plot(const Theme& theme, Textures& textures, Memos& memos, const Plot& plot, PlotView& view,
                     Rect area);
// Whether it is at full strength: everything is, or a stage that it shows is lit.
bool is_lit(const Frame& frame, const Plot& plot);
// On the canvas of the workspace on screen, which keeps its view; a picture of it is saved as any other.
PlotEvents draw_plot(Frame& frame, const Plot& plot, Rect area);

// The visible samples of all series that are not hidden: for each of them a column of x, one of y, and one of
// a band's other edge; arrays are called NAME.x, NAME.y and NAME.y2. Visible are those whose x is in the
// range that was zoomed to; points' y as well.
std::vector<NumberColumn> plot_columns(const Plot& plot, const PlotView& view);
// As a table for a spreadsheet: a header, then a line a sample, tab-separated.
std::string plot_table(const Plot& plot, const PlotView& view);

}  // namespace attn
