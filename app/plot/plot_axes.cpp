// What stands around the data and behind them: ground, grid, numbers, titles, border and legend.
#include <cmath>

#include "app/plot/plot_parts.h"
#include "app/theme/contrast.h"
#include "app/theme/toolkit.h"
#include "app/widgets/strokes.h"

namespace attn {
namespace {

// Lines that order, not shout: the border's colour, fainter where that is white.
ImU32 grid_colour(const Theme& theme) {
  return with_alpha(theme.border, theme.name == ThemeName::high_contrast ? 0.24f : 0.62f);
}

float hairline(const Theme& theme) {
  return std::max(1.0f, std::floor(theme.scale));
}

void draw_grid_lines(const PlotScene& scene) {
  const Rect& inside = scene.layout.inside;
  const float width = hairline(scene.theme);
  const ImU32 colour = grid_colour(scene.theme);
  for (const PlacedTick& tick : scene.layout.x_ticks)
    if (tick.at > inside.min.x && tick.at < inside.max.x - width)
      scene.list.AddRectFilled({tick.at, inside.min.y}, {tick.at + width, inside.max.y}, colour);
  for (const PlacedTick& tick : scene.layout.y_ticks)
    if (tick.at > inside.min.y && tick.at < inside.max.y - width)
      scene.list.AddRectFilled({inside.min.x, tick.at}, {inside.max.x, tick.at + width}, colour);
}

void draw_words(const PlotScene& scene, const ImFont* font, const PlacedWords& words, ImU32 colour) {
  if (!words.text.empty()) draw_text(scene.list, font, words.box.min, colour, words.text);
}

// A line, a disc or a block, as the series is drawn.
void draw_swatch(const PlotScene& scene, const LegendEntry& entry, ImU32 colour, bool open) {
  const Series& series = scene.plot.series[entry.series];
  const LegendSwatch& swatch = scene.layout.legend.swatch;
  const float y = std::round((entry.box.min.y + entry.box.max.y) / 2),
              left = entry.box.min.x + scene.px(swatch.before);
  const float right = left + scene.px(swatch.length), middle = (left + right) / 2;
  if (open) {
    const float half = scene.px(3.5f);
    scene.list.AddRect({middle - half, y - half}, {middle + half, y + half}, colour, half, 0,
                       hairline(scene.theme));
    return;
  }
  const ImVec2 line[] = {{left, y}, {right, y}};
  const float line_width = std::round(scene.px(3)), half_line = std::floor(line_width / 2);
  switch (series.kind) {
    case SeriesKind::points:
      return draw_disc(scene.list, scene.theme, {middle, y}, scene.px(4), colour);
    case SeriesKind::curve:
      if (series.dashed)
        return draw_dashes(scene.list, scene.theme, line, colour, scene.px(2), scene.px(4.5f), scene.px(2));
      return scene.list.AddRectFilled({left, y - half_line}, {right, y - half_line + line_width}, colour);
    default:
      return scene.list.AddRectFilled({middle - scene.px(5), y - scene.px(5)},
                                      {middle + scene.px(5), y + scene.px(5)}, colour, scene.px(2));
  }
}

}  // namespace

void draw_axes(const PlotScene& scene) {
  const PlotLayout& layout = scene.layout;
  const Theme& theme = scene.theme;
  if (layout.title.width() > 0)
    draw_title(scene.list, theme, layout.title.min, theme.text, scene.plot.title, scene.plot.subtitle,
               layout.title.width());
  if (layout.empty()) return;
  scene.list.AddRectFilled(layout.inside.min, layout.inside.max, theme.panel);
  draw_grid_lines(scene);
  for (const auto* ticks : {&layout.x_ticks, &layout.y_ticks})
    for (const PlacedTick& tick : *ticks) draw_words(scene, theme.fonts.small, tick.label, theme.dim);
  draw_words(scene, theme.fonts.small, layout.x_title, theme.dim);
  draw_words(scene, theme.fonts.small, layout.y_title, theme.dim);
}

void draw_border(const PlotScene& scene) {
  const Rect& r = scene.layout.inside;
  const float w = hairline(scene.theme);
  const ImU32 colour = scene.theme.border;
  scene.list.AddRectFilled(r.min, {r.max.x, r.min.y + w}, colour);
  scene.list.AddRectFilled({r.min.x, r.max.y - w}, r.max, colour);
  scene.list.AddRectFilled({r.min.x, r.min.y + w}, {r.min.x + w, r.max.y - w}, colour);
  scene.list.AddRectFilled({r.max.x - w, r.min.y + w}, {r.max.x, r.max.y - w}, colour);
}

void draw_legend(const PlotScene& scene, const PlotTarget& target) {
  const LegendLayout& legend = scene.layout.legend;
  const Theme& theme = scene.theme;
  const bool right = scene.plot.legend == PlotLegend::right;
  if (legend.entries.empty()) return;
  if (scene.plot.legend == PlotLegend::inside)
    scene.list.AddRectFilled(legend.box.min, legend.box.max, with_alpha(theme.panel, 0.82f), scene.px(4));
  for (std::size_t i = 0; i < legend.entries.size(); ++i) {
    const LegendEntry& entry = legend.entries[i];
    const SeriesLook& look = scene.looks[entry.series];
    const bool hot = target.kind == PlotTarget::legend && target.index == i;
    const float top = std::round((entry.box.min.y + entry.box.max.y - font_size(legend.font)) / 2);
    if (right) {
      const ImU32 words = read_colour(theme, look.colour, theme.panel);
      const ImU32 ink = look.hidden ? theme.faint : hot ? mix(words, theme.text, 0.4f) : words;
      draw_text(scene.list, legend.font, {entry.box.min.x, top}, ink, entry.shown);
      continue;
    }
    if (hot)
      scene.list.AddRectFilled(entry.box.min, entry.box.max, with_alpha(theme.text, 0.08f), scene.px(3));
    draw_swatch(scene, entry, look.hidden ? theme.faint : look.colour, look.hidden);
    const float left = entry.box.min.x + scene.px(legend.swatch.width());
    draw_text(scene.list, legend.font, {left, top}, look.hidden ? theme.faint : theme.chip_text, entry.shown);
  }
}

}  // namespace attn
