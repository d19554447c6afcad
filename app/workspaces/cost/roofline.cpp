// What was measured, against what the device can do: each stage under the roof of peak and bandwidth, and by
// which power of n the times grow.
#include <algorithm>
#include <cmath>

#include "app/plot/plot_numbers.h"
#include "app/theme/toolkit.h"
#include "app/workspaces/cost/scene.h"

namespace attn {
namespace {

constexpr float kLine = 22, kSwatch = 12;
constexpr double kBeyond = 4;  // how far the roof goes on behind the stages

// The stage of the counts that was measured by this name.
std::optional<std::size_t> stage_of(const CostScene& scene, const std::string& name) {
  const auto& stages = scene.memo.curves.front().at.stages;
  const auto found = std::ranges::find(stages, name, &StageCost::name);
  return found == stages.end() ? std::nullopt : std::optional<std::size_t>(found - stages.begin());
}

// The run of stages that a bar and a label show as one.
std::optional<std::size_t> run_of(std::optional<std::size_t> stage) {
  for (std::size_t run = 0; stage && run < kStageRuns.size(); ++run)
    if (static_cast<std::size_t>(kStageRuns[run].first) <= *stage &&
        *stage <= static_cast<std::size_t>(kStageRuns[run].last))
      return run;
  return std::nullopt;
}

// Why there is nothing yet, and what to do.
void draw_nothing(const CostScene& scene, Rect area, const char* title, const std::string& says) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  draw_title(list, theme, area.min, theme.text, title, {}, area.width());
  draw_text(list, theme.fonts.small, {area.min.x, area.min.y + theme.px(kTitleHeight)}, theme.dim,
            wrapped(theme.fonts.small, says, area.width()));
}

void add_roof(const CostScene& scene, const Measured& measured, Plot& plot) {
  const double ridge = measured.peak() / measured.bandwidth();
  std::vector<float> x, y;
  double least = ridge, most = ridge;
  for (const MeasuredStage& stage : measured.stages)
    if (stage.intensity() > 0)
      least = std::min(least, stage.intensity()), most = std::max(most, stage.intensity());
  for (const double intensity : {least / kBeyond, ridge, most * kBeyond}) {
    x.push_back(static_cast<float>(intensity));
    y.push_back(static_cast<float>(measured.roof(intensity)));
  }
  plot.series.push_back({.x = Samples::of(std::move(x)),
                         .y = Samples::of(std::move(y)),
                         .colour = scene.frame.theme.dim,
                         .thickness = 2});
}

std::string exponent_text(const PowerFit& fit) {
  return decimal_text(fit.exponent, 2) + " ± " + decimal_text(fit.error, 2);
}

}  // namespace

void draw_roofline(CostScene& scene, Rect area) {
  const Measured* measured = scene.measured();
  if (!measured || measured->stages.empty() || !(measured->peak() > 0) || !(measured->bandwidth() > 0))
    return draw_nothing(scene, area, "roofline",
                        "not measured yet: M measures this device's peak, its bandwidth and the time of each "
                        "stage");
  Plot plot{.id = "roofline",
            .title = "roofline",
            .subtitle = {{"operations a second, n " + grouped(measured->stages_n)}},
            .x = {.title = "operations a byte", .log = true},
            .y = {.log = true},
            .legend = PlotLegend::none};
  add_roof(scene, *measured, plot);
  std::vector<std::optional<std::size_t>> stages{std::nullopt};
  for (const MeasuredStage& stage : measured->stages) {
    if (!(stage.rate() > 0) || !(stage.intensity() > 0)) continue;
    const auto place = stage_of(scene, stage.name);
    const auto run = run_of(place);
    const ImU32 colour = run ? run_colour(scene.frame.theme, *run) : scene.frame.theme.dim;
    const std::string label(run ? kStageRuns[*run].title : std::string_view(stage.title));
    plot.series.push_back({.name = stage.title,
                           .kind = SeriesKind::points,
                           .x = Samples::of({static_cast<float>(stage.intensity())}),
                           .y = Samples::of({static_cast<float>(stage.rate())}),
                           .colour = colour,
                           .radius = 4.5f});
    const bool told =
        std::ranges::any_of(plot.notes, [&](const PlotNote& note) { return note.text == label; });
    if (!told)
      plot.notes.push_back({.x = stage.intensity(),
                            .y = stage.rate(),
                            .text = label,
                            .colour = colour,
                            .mark = PlotNote::none});
    stages.push_back(place);
  }
  const PlotEvents events = draw_plot(scene.frame, plot, area);
  if (events.clicked_sample && stages[events.clicked_sample->series])
    open_cost(scene.frame.view,
              {scene.shown(), static_cast<CostStage>(*stages[events.clicked_sample->series])});
}

void draw_exponents(CostScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  if (!scene.measured())
    return draw_nothing(scene, area, "exponent",
                        "by which power of n the measured time grows: M measures it");
  ImDrawList& list = *ImGui::GetWindowDrawList();
  draw_title(list, theme, area.min, theme.text, "exponent", {{"of the measured time"}}, area.width());
  float y = area.min.y + theme.px(kTitleHeight);
  const float swatch = theme.px(kSwatch), names = area.min.x + swatch + theme.px(8);
  const ImFont* font = theme.fonts.body;
  for (const CostCurve& curve : scene.memo.curves) {
    if (y + theme.px(kLine) > area.max.y) return;
    const float middle = y + theme.px(kLine) / 2, top = middle - font_size(font) / 2;
    list.AddRectFilled({area.min.x, middle - theme.px(2)}, {area.min.x + swatch, middle + theme.px(2)},
                       mechanism_colour(curve.kind), theme.px(2));
    const auto& fit = curve.points.fit;
    const std::string why(why_not_measured(curve.kind));
    std::string text = why.empty() ? "too few points" : why;
    if (fit) text = exponent_text(*fit) + "  n ≥ " + decimal_text(fit->first, 0);
    const float room = area.max.x - names;
    const std::string title = mechanism_title(scene.study(), curve.kind);
    const ImFont* small = fit ? font : theme.fonts.small;
    const float wide = std::min(room * 0.62f, text_width(small, text));
    draw_text(list, font, {names, top}, theme.text, elided(font, title, room - wide - theme.px(10)));
    draw_text(list, small, {area.max.x - wide, middle - font_size(small) / 2}, fit ? theme.text : theme.faint,
              elided(small, text, wide + 1));
    y += theme.px(kLine);
  }
}

}  // namespace attn
