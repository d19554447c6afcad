// Series as they are drawn: bands behind bars, stems, curves and points. Nothing has more pieces than columns
// of pixels, and points that are too many for discs are one picture.
#include <cmath>

#include "app/plot/plot_parts.h"
#include "app/widgets/strokes.h"

namespace attn {
namespace {

constexpr float kBandAlpha = 0.24f, kEdgeAlpha = 0.6f;
constexpr std::size_t kRimmed = 400;  // points: more don't need a rim to be told apart, and it doubles them
// Where there are many curves, wide columns and a loose hold on samples save triangles that nobody could see.
constexpr float kFewSamples = 3'000;                                         // of all curves together
constexpr float kWidestColumn = 3, kFinestSamples = 0.12f, kLoosest = 0.8f;  // pixels

// Of all series; whether one is ordered is its own.
PathOptions path_options(const PlotScene& scene) {
  const Rect& inside = scene.layout.inside;
  float samples = 0, columns = 0;
  for (std::size_t k = 0; k < scene.plot.series.size(); ++k) {
    if (!is_drawn(scene, k) || scene.plot.series[k].kind != SeriesKind::curve) continue;
    const auto count = static_cast<float>(scene.plot.series[k].count());
    samples += count;
    columns += std::min(count, inside.width());
  }
  return {.box = inside,
          .column = std::clamp(columns / (2 * kFewSamples), 1.0f, kWidestColumn),
          .tolerance = std::clamp(kFinestSamples * samples / kFewSamples, kFinestSamples, kLoosest)};
}

void draw_path(const PlotScene& scene, const PlotPath& path, ImU32 colour, float thickness, bool dashed) {
  std::size_t begin = 0;
  for (const std::size_t end : path.ends) {
    const auto line = std::span(path.points).subspan(begin, end - begin);
    if (dashed)
      draw_dashes(scene.list, scene.theme, line, colour, thickness, scene.px(5), scene.px(4));
    else
      draw_stroke(scene.list, scene.theme, line, colour, thickness);
    begin = end;
  }
}

void draw_curve(const PlotScene& scene, std::size_t s, const PathOptions& options) {
  const Series& series = scene.plot.series[s];
  const PlotPath& path = scene.memo.path(s, series, scene.layout.x, scene.layout.y, options);
  draw_path(scene, path, scene.looks[s].colour, scene.px(series.thickness), series.dashed);
}

// What a column of pixels holds of a band.
struct Slice {
  float x = 0, low = 0, high = 0;
};

std::vector<std::vector<Slice>> slices_of(const PlotScene& scene, const Series& series) {
  std::vector<std::vector<Slice>> runs(1);
  const float base = base_pixel(scene, series);
  for (std::size_t i = 0; i < series.count(); ++i) {
    const ImVec2 p = scene.pixel(series.x_at(i), series.y[i]);
    const float other = i < series.y2.count ? scene.layout.y.pixel(series.y2[i]) : base;
    std::vector<Slice>& run = runs.back();
    if (std::isnan(p.x) || std::isnan(p.y) || std::isnan(other)) {
      if (!run.empty()) runs.emplace_back();
      continue;
    }
    const Slice slice{p.x, std::max(p.y, other), std::min(p.y, other)};
    if (!run.empty() && std::abs(run.back().x - slice.x) < 1) {
      run.back().low = std::max(run.back().low, slice.low);
      run.back().high = std::min(run.back().high, slice.high);
    } else {
      run.push_back(slice);
    }
  }
  return runs;
}

void draw_band(const PlotScene& scene, std::size_t s, const PathOptions& options) {
  const Series& series = scene.plot.series[s];
  const ImU32 colour = scene.looks[s].colour, fill = with_alpha(colour, kBandAlpha);
  const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
  for (const std::vector<Slice>& run : slices_of(scene, series))
    for (std::size_t i = 0; i + 1 < run.size(); ++i) {
      const Slice &a = run[i], &b = run[i + 1];
      scene.list.PrimReserve(6, 4);
      scene.list.PrimQuadUV({a.x, a.high}, {b.x, b.high}, {b.x, b.low}, {a.x, a.low}, white, white, white,
                            white, fill);
    }
  const ImU32 edge = with_alpha(colour, kEdgeAlpha);
  draw_path(scene, scene.memo.path(s, series, scene.layout.x, scene.layout.y, options), edge, scene.px(1),
            false);
  if (!series.y2.empty())
    draw_path(scene, scene.memo.second_path(s, series, scene.layout.x, scene.layout.y, options), edge,
              scene.px(1), false);
}

void draw_pool(const PlotScene& scene, std::size_t s) {
  const Rect& inside = scene.layout.inside;
  const auto texel = static_cast<std::size_t>(std::max(1.0f, std::round(scene.theme.scale)));
  const auto texels = [&](float pixels) { return (static_cast<std::size_t>(pixels) + texel - 1) / texel; };
  const PoolOptions options{.width = texels(inside.width()),
                            .height = texels(inside.height()),
                            .texel = texel,
                            .colour = scene.looks[s].colour};
  const auto picture =
      scene.memo.pool(s, scene.plot.series[s], scene.layout.x, scene.layout.y, scene.theme, options);
  const ImVec2 size{static_cast<float>(options.width * texel), static_cast<float>(options.height * texel)};
  scene.textures.draw(scene.list, inside.min, {inside.min.x + size.x, inside.min.y + size.y}, picture,
                      scene.theme);
}

void draw_points(const PlotScene& scene, std::size_t s) {
  const Series& series = scene.plot.series[s];

  const ShadeColours colours(scene, s);
  const float radius = scene.px(series.radius), rim = scene.facts[s]->shown <= kRimmed ? scene.px(1.2f) : 0;
  for (std::size_t i = 0; i < series.count(); ++i) {
    const ImVec2 p = scene.pixel(series.x_at(i), series.y[i]);
    const Rect& inside = scene.layout.inside;
    if (!(p.x >= inside.min.x - radius && p.x <= inside.max.x + radius && p.y >= inside.min.y - radius &&
          p.y <= inside.max.y + radius))
      continue;
    if (rim > 0) draw_disc(scene.list, scene.theme, p, radius + rim, scene.theme.panel);
    draw_disc(scene.list, scene.theme, p, radius, colours.of(i));
  }
}

// As one picture they lie below all lines: they would hide them.
bool is_pooled(const PlotScene& scene, std::size_t s) {
  return scene.plot.series[s].kind == SeriesKind::points && scene.facts[s]->shown > kMostDiscs;
}

void draw_one(const PlotScene& scene, std::size_t s, PathOptions options) {
  options.ordered = scene.facts[s]->ordered;
  switch (scene.plot.series[s].kind) {
    case SeriesKind::band:
      return draw_band(scene, s, options);
    case SeriesKind::bars:
      return draw_bars(scene, s);
    case SeriesKind::stems:
      return draw_stems(scene, s);
    case SeriesKind::curve:
      return draw_curve(scene, s, options);
    case SeriesKind::points:
      return draw_points(scene, s);
  }
}

}  // namespace

void draw_series(const PlotScene& scene) {
  const Rect& inside = scene.layout.inside;
  const PathOptions options = path_options(scene);
  scene.list.PushClipRect(inside.min, inside.max, true);
  for (std::size_t s = 0; s < scene.plot.series.size(); ++s)
    if (is_drawn(scene, s) && is_pooled(scene, s)) draw_pool(scene, s);
  for (const SeriesKind kind :
       {SeriesKind::band, SeriesKind::bars, SeriesKind::stems, SeriesKind::curve, SeriesKind::points})
    for (const bool emphasised : {false, true})
      for (std::size_t s = 0; s < scene.plot.series.size(); ++s) {
        const Series& series = scene.plot.series[s];
        if (series.kind == kind && series.emphasised == emphasised && is_drawn(scene, s) &&
            !is_pooled(scene, s))
          draw_one(scene, s, options);
      }
  draw_bar_numbers(scene);
  scene.list.PopClipRect();
}

}  // namespace attn
