// The legend: which names it has, how large it may be, and the corner where it hides the least.
#include <cmath>

#include "app/language/speech.h"
#include "app/plot/plot_layout.h"

namespace attn {
namespace {

constexpr float kPitch = 20, kSmallPitch = 17, kPadding = 8, kFromEdge = 8, kBetweenNames = 12;  // points
constexpr float kWidest = 0.5f, kTallest = 0.86f;  // of the plot's inside
constexpr float kLeastName = 24;
constexpr LegendSwatch kBelow{.before = 0, .length = 10, .gap = 5};
constexpr std::size_t kProbes = 48;      // a series
constexpr std::size_t kPointWeighs = 6;  // probes of a curve: a point that is covered is not there
constexpr double kMuchBetter = 0.02;     // of all places of data: then the legend moves

std::vector<LegendEntry> entries_of(const Plot& plot) {
  std::vector<LegendEntry> entries;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const std::string& name = plot.series[i].name;
    const bool known = std::ranges::any_of(entries, [&](const LegendEntry& e) { return e.name == name; });
    if (!name.empty() && !known) entries.push_back({.name = name, .series = i, .box = {}, .shown = {}});
  }
  return entries;
}

// Size with these fonts; names are elided where the whole is too wide. Nothing if that does not help.
ImVec2 fit_entries(std::vector<LegendEntry>& entries, const Theme& theme, const ImFont* font, float pitch,
                   Rect inside) {
  const float around = theme.px(2 * kPadding + LegendSwatch().length + kWordGap);
  const float room = inside.width() * kWidest - around;
  const float height = static_cast<float>(entries.size()) * pitch + theme.px(kPadding);
  if (room < theme.px(kLeastName) || height > inside.height() * kTallest) return {};
  float width = 0;
  for (LegendEntry& entry : entries) {
    entry.shown = elided(font, entry.name, room);
    width = std::max(width, text_width(font, entry.shown));
  }
  return {std::ceil(width + around), std::ceil(height)};
}

Rect corner_of(Rect inside, ImVec2 size, float gap, int corner) {
  const bool right = corner % 2 == 1, bottom = corner >= 2;
  const ImVec2 min{right ? inside.max.x - gap - size.x : inside.min.x + gap,
                   bottom ? inside.max.y - gap - size.y : inside.min.y + gap};
  return {min, {min.x + size.x, min.y + size.y}};
}

std::size_t covered(const std::vector<ImVec2>& places, Rect box) {
  return static_cast<std::size_t>(std::ranges::count_if(places, [&](ImVec2 p) { return box.contains(p); }));
}

// Names in a column at the right side of the plot.
void place_right(PlotLayout& layout, const Theme& theme, std::vector<LegendEntry> entries) {
  const ImFont* font = theme.fonts.bold;
  const float pitch = line_height(font) + theme.px(2);
  const float left = layout.inside.max.x + theme.px(kWordGap), right = layout.area.max.x - theme.px(2);
  float top = layout.inside.min.y;
  LegendLayout& legend = layout.legend;
  legend = {.entries = {}, .box = {{left, top}, {right, top}}, .font = font};
  for (LegendEntry& entry : entries) {
    if (top + pitch > layout.inside.max.y) break;
    entry.shown = elided(font, entry.name, right - left);
    entry.box = {{left, top}, {right, top + pitch}};
    top += pitch;
    legend.entries.push_back(std::move(entry));
  }
  legend.box.max.y = top;
}

void place_below(PlotLayout& layout, const Theme& theme, const Plot& plot) {
  layout.legend = {.entries = names_below(theme, plot, layout.area),
                   .box = {},
                   .font = theme.fonts.small,
                   .swatch = kBelow};
  if (!layout.legend.entries.empty())
    layout.legend.box = {{layout.area.min.x, layout.legend.entries.front().box.min.y}, layout.area.max};
}

}  // namespace

std::vector<LegendEntry> names_below(const Theme& theme, const Plot& plot, Rect area) {
  if (plot.legend != PlotLegend::below) return {};
  const ImFont* font = theme.fonts.small;
  const float line = theme.px(kSmallPitch), swatch = theme.px(kBelow.width());
  std::vector<LegendEntry> entries = entries_of(plot);
  float x = 0, height = line;
  for (LegendEntry& entry : entries) {
    entry.shown = elided(font, entry.name, area.width() - swatch);
    const float width = swatch + text_width(font, entry.shown);
    if (x > 0 && x + width > area.width()) x = 0, height += line;
    entry.box = {{area.min.x + x, height - line}, {area.min.x + x + width, height}};
    x += width + theme.px(kBetweenNames);
  }
  if (height > area.height() / 2) return {};
  for (LegendEntry& entry : entries)
    entry.box.min.y += area.max.y - height, entry.box.max.y += area.max.y - height;
  return entries;
}

std::vector<ImVec2> places_of_data(const Plot& plot, const PlotLayout& layout,
                                   const std::vector<SeriesLook>& looks) {
  std::vector<ImVec2> places;
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    const Series& series = plot.series[s];
    if (looks[s].hidden) continue;
    const std::size_t step = std::max<std::size_t>(1, series.count() / kProbes);
    for (std::size_t i = 0; i < series.count(); i += step) {
      const ImVec2 place{layout.x.pixel(series.x_at(i)), layout.y.pixel(series.y[i])};
      if (layout.inside.contains(place))
        places.insert(places.end(), series.kind == SeriesKind::points ? kPointWeighs : 1, place);
      if (series.kind != SeriesKind::bars && series.kind != SeriesKind::band) continue;
      const ImVec2 middle{place.x, (place.y + layout.inside.max.y) / 2};  // their bodies count as well
      if (layout.inside.contains(middle)) places.push_back(middle);
    }
  }
  return places;
}

void place_legend(PlotLayout& layout, const Theme& theme, const Plot& plot, PlotView& view,
                  const std::vector<ImVec2>& data, ImVec2 pointer) {
  layout.legend = {};
  std::vector<LegendEntry> entries = entries_of(plot);
  if (plot.legend == PlotLegend::none || entries.empty() || layout.empty()) return;
  if (plot.legend == PlotLegend::right) return place_right(layout, theme, std::move(entries));
  if (plot.legend == PlotLegend::below) return place_below(layout, theme, plot);
  const ImFont* font = theme.fonts.body;
  float pitch = theme.px(kPitch);
  ImVec2 size = fit_entries(entries, theme, font, pitch, layout.inside);
  const auto is_cut = [](const LegendEntry& entry) { return entry.shown != spoken(entry.name); };
  if (size.x == 0 || std::ranges::any_of(entries, is_cut)) {  // smaller letters rather than fewer
    font = theme.fonts.small, pitch = theme.px(kSmallPitch);
    size = fit_entries(entries, theme, font, pitch, layout.inside);
  }
  if (size.x == 0) return;
  const auto box_of = [&](int corner) { return corner_of(layout.inside, size, theme.px(kFromEdge), corner); };
  int best = 0;
  for (const int corner : {1, 3, 2})
    if (covered(data, box_of(corner)) < covered(data, box_of(best))) best = corner;
  const auto enough = static_cast<std::size_t>(kMuchBetter * static_cast<double>(data.size()));
  const auto stays = [&](int corner) {
    return box_of(corner).contains(pointer) ||
           covered(data, box_of(corner)) <= covered(data, box_of(best)) + enough;
  };
  if (view.legend_corner && stays(*view.legend_corner)) best = *view.legend_corner;
  view.legend_corner = best;
  LegendLayout& legend = layout.legend;
  legend = {.entries = std::move(entries), .box = box_of(best), .font = font};
  float top = legend.box.min.y + theme.px(kPadding / 2);
  for (LegendEntry& entry : legend.entries) {
    entry.box = {{legend.box.min.x, top}, {legend.box.max.x, top + pitch}};
    top += pitch;
  }
}

}  // namespace attn
