// The row at every temperature, and how its weights answer to its scores.
#include <algorithm>
#include <cmath>

#include "app/workspaces/softmax/scene.h"

namespace attn {
namespace {

constexpr const char* kTemperatureHint = "drag T · click takes a temperature";
constexpr std::size_t kNamed = 8;  // curves in the legend
constexpr float kCurveCaption = 20;
constexpr float kMostEntry = 0.25f;  // of a Jacobian: a·(1 − a) at ½
constexpr double kRowSumsAreZero = 1e-6;

PlotAxis temperature_axis() {
  return {.title = "T", .log = true, .low = kLeastCurve, .high = kMostCurve};
}

// T is dragged, or set by a click; back from a number that is pointed at to its key.
void answer(SoftmaxScene& scene, const PlotEvents& events) {
  if (events.marker) set_temperature(scene.draft(), events.marker->to);
  if (events.clicked) set_temperature(scene.draft(), events.clicked->x);
}

void add_curves(const SoftmaxScene& scene, Plot& plot) {
  const Tensor& weights = scene.numbers(scene.places().curves.weights);
  const auto about = looked_at(scene);
  std::vector<std::size_t> keys = scene.memo.heaviest;
  if (about && std::ranges::count(keys, *about) == 0) keys.push_back(*about);
  std::ranges::sort(keys);
  for (const std::size_t key : keys)
    plot.series.push_back({.name = keys.size() <= kNamed || key == about ? scene.name(key) : "",
                           .x = scene.memo.temperatures,
                           .y = Samples::column_of(weights, key),
                           .colour = series_colour(key),
                           .thickness = key == about ? 3.0f : 1.75f});
}

Subtitle curves_subtitle(const SoftmaxScene& scene) {
  const std::size_t shown = scene.memo.heaviest.size();
  if (shown < scene.keys())
    return {{"the " + std::to_string(shown) + " heaviest of " + std::to_string(scene.keys()) + " keys"}};
  return {{"the same scores from T 0.05 to 20"}};
}

std::string caption_of(const SoftmaxScene& scene) {
  const Saturation& s = scene.memo.saturation;
  const bool within = s.norm <= kJacobianBound + 1e-12;
  return "norm " + four_digits(s.norm) + (within ? " ≤ ½ ✓" : " > ½");
}

}  // namespace

void draw_temperatures(SoftmaxScene& scene, Rect area) {
  Plot plot{.id = "temperature",
            .title = "temperature",
            .subtitle = curves_subtitle(scene),
            .x = temperature_axis(),
            .y = {.low = 0, .high = 1.04},
            .clickable = true,
            .cursor_hint = kTemperatureHint};
  plot.shows = {scene.places().softmax.weights, scene.places().curves.weights};
  add_curves(scene, plot);
  const std::size_t left = scene.memo.saturation.left;
  if (left > 0)
    plot.markers.push_back({.id = "uniform",
                            .vertical = false,
                            .at = 1 / static_cast<double>(left),
                            .label = "uniform, 1/" + std::to_string(left),
                            .colour = scene.frame.theme.dim});
  plot.markers.push_back(temperature_marker(scene));
  const PlotEvents events = draw_plot(scene.frame, plot, area);
  answer(scene, events);
  if (!events.hovered || !events.nearest || events.active) return;
  std::vector<std::size_t> keys = scene.memo.heaviest;
  std::ranges::sort(keys);
  if (events.nearest->series < keys.size() && plot.series.size() == keys.size())
    scene.frame.view.hovered = scene.spot(scene.places().softmax.weights, keys[events.nearest->series]);
}

void draw_entropy(SoftmaxScene& scene, Rect area) {
  const Saturation& s = scene.memo.saturation;
  Plot plot{.id = "entropy",
            .title = "entropy and gradient",
            .subtitle = {{"against T"}},
            .x = temperature_axis(),
            .y = {.low = 0, .high = std::max(1.08 * s.most_entropy, 0.6)},
            .clickable = true,
            .cursor_hint = kTemperatureHint};
  plot.series.push_back({.name = "entropy, nats",
                         .x = scene.memo.temperatures,
                         .y = scene.memo.entropy,
                         .colour = series_colour(0),
                         .thickness = 2.2f});
  plot.series.push_back({.name = "norm of the Jacobian",
                         .x = scene.memo.norms_t,
                         .y = scene.memo.norms,
                         .colour = series_colour(1),
                         .thickness = 2.2f});
  if (s.left > 1)
    plot.markers.push_back({.id = "most",
                            .vertical = false,
                            .at = s.most_entropy,
                            .label = "ln " + std::to_string(s.left),
                            .colour = scene.frame.theme.dim});
  plot.markers.push_back(
      {.id = "bound", .vertical = false, .at = kJacobianBound, .label = "½", .colour = series_colour(1)});
  plot.markers.push_back(temperature_marker(scene));
  plot.shows = {scene.places().entropy, scene.places().curves.entropy};
  if (scene.places().jacobian) plot.shows.push_back(*scene.places().jacobian);
  answer(scene, draw_plot(scene.frame, plot, area));
}

void draw_row_jacobian(SoftmaxScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont* font = theme.fonts.small;
  const float below = area.max.y - theme.px(kCurveCaption - 4);
  float left = area.min.x, right = area.max.x;  // of the cells
  if (const auto stage = scene.places().jacobian) {
    Grid grid =
        fitted_grid(scene.frame, *stage, 0, {area.min, {area.max.x, area.max.y - theme.px(kCurveCaption)}});
    grid.map.range = kMostEntry;
    draw_grid(scene.frame, grid);
    const Rect first = row_rect(scene.frame, grid, 0);
    left = first.min.x, right = first.max.x;
    const bool zero = scene.memo.row_sums <= kRowSumsAreZero;
    const std::string sums =
        zero ? "rows add up to 0 ✓" : "rows add up to " + four_digits(scene.memo.row_sums);
    draw_text(list, font, {left, below}, zero ? theme.good : theme.bad,
              elided(font, sums, (right - left) / 2));
  } else {
    draw_title(list, theme, area.min, theme.text, "Jacobian", {}, area.width());
    const std::string words = "a map of " + std::to_string(scene.keys()) + " keys is not drawn, only up to " +
                              std::to_string(kMostJacobian) +
                              "; the norm and the largest gradient are shown all the same";
    draw_text(list, font, {area.min.x, area.min.y + theme.px(kMapTitleHeight)}, theme.dim,
              wrapped(font, words, area.width()));
  }
  const std::string norm = caption_of(scene);
  draw_text(list, font, {right - text_width(font, norm), below}, theme.good, norm);
}

}  // namespace attn
