// Where the parts of a plot lie: pure arithmetic on the plot, its ranges, the area and the fonts.
#pragma once

#include <string>
#include <vector>

#include "app/plot/plot_axis.h"
#include "app/plot/plot_facts.h"
#include "app/plot/plot_ticks.h"

namespace attn {

// How each series is shown. By index, as Plot::series.
struct SeriesLook {
  ImU32 colour = 0;
  bool hidden = false;
};
std::vector<SeriesLook> series_looks(const Theme& theme, const Plot& plot, const PlotView& view);

// The colour that reads on the plot's background: as it is, unless it would hardly be seen there.
ImU32 seen_colour(const Theme& theme, ImU32 colour);
// Of a colour map, as many as told apart: the first is 0's, the last 1's.
std::vector<ImU32> shade_colours(const Theme& theme, MapKind map, std::size_t count);

// Whether axes are logarithmic: as the plot starts, or as the person chose.
bool is_log_x(const Plot& plot, const PlotView& view);
bool is_log_y(const Plot& plot, const PlotView& view);

// The ranges that are shown: zoomed, held by a drag, else what the data need.
PlotFit shown_ranges(const PlotView& view, const PlotFit& fit);

// Words in the plot; an empty text has no place.
struct PlacedWords {
  std::string text;
  Rect box;
};

struct PlacedTick {
  double value = 0;
  float at = 0;       // whole pixels, along the axis
  PlacedWords label;  // may be empty
};

struct LegendEntry {
  std::string name;
  std::size_t series = 0;  // the first of that name
  Rect box;                // takes the pointer
  std::string shown;       // the name, elided
};
// In points: before the swatch of a series' colour, its length, and from there to the name.
struct LegendSwatch {
  float before = 8, length = 17, gap = 8;
  float width() const { return before + length + gap; }
};
struct LegendLayout {
  std::vector<LegendEntry> entries;  // empty: no room, or no names
  Rect box;
  const ImFont* font = nullptr;
  LegendSwatch swatch = {};
};

struct PlotLayout {
  Rect area, inside;  // inside: where data are drawn
  AxisScale x, y;
  std::vector<PlacedTick> x_ticks, y_ticks;
  Rect title;  // of the plot; empty: no room
  PlacedWords x_title, y_title;
  Rect x_axis, y_axis;  // next to the inside: drags and the wheel there are of one axis
  LegendLayout legend;
  float numbers = 0;  // the width that the numbers of the y axis have
  bool empty() const { return inside.width() < 1 || inside.height() < 1; }
};

// All but the legend inside the plot, which keeps out of the way of the data: place_legend().
PlotLayout plot_layout(const Theme& theme, const Plot& plot, const PlotView& view, const PlotFit& ranges,
                       Rect area);

// In the corner that covers the fewest of the places of data; in the one where it was last as long as another
// is not much better, or the pointer is there: a name does not leave from under a click.
void place_legend(PlotLayout& layout, const Theme& theme, const Plot& plot, PlotView& view,
                  const std::vector<ImVec2>& data, ImVec2 pointer);

// Names in lines at the bottom of the area, for PlotLegend::below; none where they would take half of it.
std::vector<LegendEntry> names_below(const Theme& theme, const Plot& plot, Rect area);

// Some places of the data, for that: a few dozen a series.
std::vector<ImVec2> places_of_data(const Plot& plot, const PlotLayout& layout,
                                   const std::vector<SeriesLook>& looks);

float line_height(const ImFont* font);
inline bool overlap(const Rect& a, const Rect& b) {
  return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

}  // namespace attn
