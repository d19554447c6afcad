// How series look: their colours, and which of them are hidden.
#include "app/plot/plot_parts.h"

#include <cmath>

#include "app/theme/contrast.h"

namespace attn {
ImU32 seen_colour(const Theme& theme, ImU32 colour) {
  return set_off(theme, colour, theme.panel, 1.7f);  // the yellow of the series colours on white has 1.2
}

std::vector<ImU32> shade_colours(const Theme& theme, MapKind map, std::size_t count) {
  std::vector<ImU32> colours(count);
  for (std::size_t i = 0; i < count; ++i)
    colours[i] =
        seen_colour(theme, map_colour(theme, {map, static_cast<float>(count - 1)}, static_cast<float>(i)));
  return colours;
}

ShadeColours::ShadeColours(const PlotScene& scene, std::size_t s)
    : series_(scene.plot.series[s]), plain_(scene.looks[s].colour), none_(scene.theme.faint) {
  constexpr std::size_t kShades = 64;
  if (!series_.shade.empty()) shades_ = shade_colours(scene.theme, series_.shades, kShades);
}

ImU32 ShadeColours::of(std::size_t i) const {
  if (shades_.empty() || i >= series_.shade.count) return plain_;
  const double shade = series_.shade[i] * static_cast<double>(shades_.size() - 1);
  if (std::isnan(shade)) return none_;
  return shades_[static_cast<std::size_t>(std::clamp(shade, 0.0, static_cast<double>(shades_.size() - 1)))];
}

bool is_drawn(const PlotScene& scene, std::size_t s) {
  return scene.facts[s] && scene.facts[s]->shown > 0;
}

float base_pixel(const PlotScene& scene, const Series& series) {
  const AxisScale& y = scene.layout.y;
  return y.log() && series.base <= 0 ? scene.layout.inside.max.y : y.pixel(series.base);
}

std::vector<SeriesLook> series_looks(const Theme& theme, const Plot& plot, const PlotView& view) {
  constexpr float kFaint = 0.3f;
  std::vector<SeriesLook> looks(plot.series.size());
  std::size_t colours = 0;
  for (std::size_t i = 0; i < looks.size(); ++i) {
    const Series& series = plot.series[i];
    std::size_t same = i;
    for (std::size_t k = 0; k < i && !series.name.empty(); ++k)
      if (plot.series[k].name == series.name && plot.series[k].colour == series.colour)
        same = std::min(same, k);
    if (series.colour != 0)
      looks[i].colour = series.colour;
    else if (same < i)
      looks[i].colour = looks[same].colour | IM_COL32_A_MASK;
    else
      looks[i].colour = series_colour(colours++);
    looks[i].colour = seen_colour(theme, looks[i].colour);
    if (!series.emphasised) looks[i].colour = with_alpha(looks[i].colour, kFaint);
    looks[i].hidden = !series.name.empty() && view.hidden.contains(series.name);
  }
  return looks;
}

bool is_log_x(const Plot& plot, const PlotView& view) {
  return view.log_x.value_or(plot.x.log);
}

bool is_log_y(const Plot& plot, const PlotView& view) {
  return view.log_y.value_or(plot.y.log);
}

PlotFit shown_ranges(const PlotView& view, const PlotFit& fit) {
  const bool held = view.drag == PlotView::point || view.drag == PlotView::marker;
  return {view.x.value_or(held ? view.held_x : fit.x), view.y.value_or(held ? view.held_y : fit.y)};
}

void fit_plot(PlotView& view, const PlotFit& fit) {
  view.x.reset(), view.y.reset();
  if (view.locked) view.x = fit.x, view.y = fit.y;
}

void toggle_hidden(PlotView& view, const std::string& name) {
  if (view.hidden.erase(name) == 0) view.hidden.insert(name);
}

void isolate(const Plot& plot, PlotView& view, const std::string& name) {
  std::set<std::string> others;
  for (const Series& series : plot.series)
    if (!series.name.empty() && series.name != name) others.insert(series.name);
  view.hidden.erase(name);
  const bool already = view.hidden == others;
  view.hidden = already ? std::set<std::string>() : others;
}

}  // namespace attn
