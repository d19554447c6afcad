// The losses of the descent, and of those before it, with the step that is shown.
#include <algorithm>
#include <cmath>

#include "app/cells/cell_text.h"
#include "app/fields/slider.h"
#include "app/theme/toolkit.h"
#include "app/widgets/tooltip.h"
#include "app/workspaces/gradients/descend.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr const char* kLossHint = "drag the step";
constexpr float kNamesFit = 320;      // wide enough for the names of runs
constexpr double kLeastPlain = 1e-3;  // below it losses are written with their power of ten

// "0.0331": three digits, as the axis is read.
std::string loss_text(double loss) {
  if (loss == 0) return "0";
  return loss < kLeastPlain ? scientific(static_cast<float>(loss), 1) : brief(three_digits(loss));
}

// The hue of what learns alone; green where all do.
ImU32 colour_of(const Theme& theme, const DescentTask& task) {
  const bool x = task.learn_x && !task.layer.direct, q = task.learn_q, k = task.learn_k;
  if (q && k) return x || task.layer.direct ? theme.value : theme.accent;
  if (x) return q || k ? theme.accent : theme.text;
  return q ? theme.query : theme.key;
}

Subtitle losses_subtitle(const DescendScene& scene) {
  if (!scene.moving()) return {{"not begun yet"}};
  const std::vector<double>& losses = scene.memo.found->losses;
  return {{loss_text(losses.front()) + " → " + loss_text(losses[scene.step]), true}};
}

std::string about_sample(const std::string& name, const Samples& losses, std::size_t step) {
  return name + ": at step " + std::to_string(step) + " the loss is " + loss_text(losses[step]);
}

void take_step(DescendScene& scene, double at) {
  const double step = std::clamp(std::round(at), 0.0, static_cast<double>(kDescentSteps));
  scene.scene.view().step = static_cast<std::size_t>(step);
}

}  // namespace

void draw_losses(DescendScene& scene, Rect area) {
  const Theme& theme = scene.scene.frame.theme;
  Plot plot{.id = kDescentPlot,
            .title = "loss",
            .subtitle = losses_subtitle(scene),
            .x = {.low = 0, .high = static_cast<double>(kDescentSteps)},
            .y = {.log = true},
            .clickable = true,
            .cursor_hint = kLossHint};
  std::vector<std::string> names;
  const bool named = !scene.memo.earlier.empty() && area.width() >= theme.px(kNamesFit);
  const auto add = [&](const DescentTask& task, const Samples& losses, float thickness) {
    names.push_back(name_of_descent(task));
    plot.series.push_back({.name = named ? names.back() : "",
                           .y = losses,
                           .colour = colour_of(theme, task),
                           .thickness = thickness});
  };
  for (const DescentRun& run : scene.memo.earlier) add(run.task, run.losses, 1);
  if (scene.moving()) {
    const double step = static_cast<double>(scene.step);
    add(scene.task, scene.memo.losses, 2.4f);
    plot.markers.push_back({.id = "step", .at = step, .dashed = false, .draggable = true});
    plot.notes.push_back(
        {.x = step, .y = scene.memo.losses[scene.step], .colour = colour_of(theme, scene.task)});
  }
  if (!scene.words.empty()) {
    const ImFont* font = theme.fonts.small;
    const std::string lines = wrapped(font, scene.words, area.width());
    area.max.y -= font->CalcTextSizeA(font_size(font), 1e6f, 0, lines.c_str()).y;
    draw_text(*ImGui::GetWindowDrawList(), font, {area.min.x, area.max.y}, theme.warning, lines);
  }
  const PlotEvents events = draw_plot(scene.scene.frame, plot, area);
  if (events.marker) take_step(scene, events.marker->to);
  if (events.clicked) take_step(scene, events.clicked->x);
  if (events.nearest && !events.active && events.nearest->series < plot.series.size())
    show_tooltip(about_sample(names[events.nearest->series], plot.series[events.nearest->series].y,
                              events.nearest->sample));
}

}  // namespace attn
