// The kernels themselves, and what leaving a point out says about widths.
#include <algorithm>
#include <cmath>

#include "app/workspaces/kernels/scene.h"
#include "core/kernels/fields.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr double kProfileReach = 3;
constexpr std::size_t kHeights = 361;

bool is_first_of_its_kernel(const KernelsScene& scene, std::size_t curve) {
  for (std::size_t before = 0; before < curve; ++before)
    if (scene.curves[before].kernel == scene.curves[curve].kernel) return false;
  return true;
}

std::string kernel_title(const KernelsScene& scene, std::size_t curve) {
  return std::string(kernel_text(scene.curves[curve].kernel).title);
}

PlotMarker width_marker(const KernelsScene& scene) {
  const bool neighbours = scene.spec.width_rule == WidthRule::neighbours;
  return {.id = "width",
          .at = neighbours ? static_cast<double>(scene.spec.neighbours) : scene.spec.widths[0],
          .label = neighbours ? "k" : "σ",
          .colour = scene.frame.theme.outline,
          .draggable = true};
}

void add_errors(const KernelsScene& scene, Plot& plot) {
  for (std::size_t curve = 0; curve < scene.curves.size(); ++curve) {
    const auto& errors = scene.memo.errors[curve];
    if (errors.empty() || !is_first_of_its_kernel(scene, curve)) continue;
    std::vector<float> x, y;
    for (const auto& [width, error] : errors) x.push_back(static_cast<float>(width)), y.push_back(error);
    plot.series.push_back({.name = kernel_title(scene, curve),
                           .x = Samples::of(std::move(x)),
                           .y = Samples::of(std::move(y)),
                           .colour = scene.colour(curve)});
    if (const auto& best = scene.memo.best[curve])
      plot.notes.push_back({.x = best->width,
                            .y = best->error,
                            .text = curve == scene.shown ? "least: " + brief(three_digits(best->width)) : "",
                            .colour = scene.colour(curve)});
  }
}

// Where the errors are when there are none.
std::string why_none(const KernelsScene& scene) {
  const std::size_t m = scene.places().sorted.keys.rows();
  if (m < 2) return m == 0 ? "no points" : "one point has no other";
  if (m > kMostCompared)
    return "not of more than " + std::to_string(kMostCompared) + " points: the command regress has more";
  const auto& deferred = scene.frame.engine.deferred;
  if (deferred && !deferred->error.empty()) return deferred->error;
  return deferred && deferred->stopped ? "stopped" : "computing…";
}

}  // namespace

void draw_kernel_shapes(KernelsScene& scene, Rect area) {
  Plot plot{.id = "kernels",
            .title = "kernels",
            .subtitle = {{"κ(u)"}, {"u = (q − x)/σ"}},
            .x = {.title = "u", .low = -kProfileReach, .high = kProfileReach},
            .y = {.low = 0, .high = 1.08},
            .legend = PlotLegend::none};
  std::string left_out;
  for (std::size_t curve = 0; curve < scene.curves.size(); ++curve) {
    const Kernel kernel = scene.curves[curve].kernel;
    if (!is_first_of_its_kernel(scene, curve)) continue;
    if (kernel == Kernel::dot) {
      left_out = "q·x is no function of u";
      continue;
    }
    plot.series.push_back({.name = kernel_title(scene, curve),
                           .x = Samples::range(-kProfileReach, 2 * kProfileReach / (kHeights - 1), kHeights),
                           .y = Samples::of(kernel_heights(kernel, kProfileReach, kHeights)),
                           .colour = scene.colour(curve)});
  }
  if (!left_out.empty()) plot.subtitle.push_back({left_out});
  for (const KernelStages& curve : scene.places().curves)
    if (curve.kernels) plot.shows.push_back(*curve.kernels);
  draw_plot(scene.frame, plot, area);
}

void draw_left_out(KernelsScene& scene, Rect area) {
  const bool neighbours = scene.spec.width_rule == WidthRule::neighbours;
  Plot plot{.id = "left out",
            .title = "leave-one-out",
            .subtitle = {{neighbours ? "error² against k" : "error² against σ"}},
            .x = {.title = neighbours ? "k" : "σ", .log = true},
            .y = {.low = 0},
            .legend = PlotLegend::none};
  for (const KernelStages& curve : scene.places().curves)
    if (curve.errors) plot.shows.push_back(*curve.errors);
  add_errors(scene, plot);
  if (plot.series.empty())
    plot.subtitle = {{why_none(scene)}};
  else
    plot.markers.push_back(width_marker(scene));
  const PlotEvents events = draw_plot(scene.frame, plot, area);
  KernelsSpec& spec = scene.frame.draft.kernels;
  if (events.marker)
    set_width(spec, three_digits(events.marker->to));
  else if (events.clicked_sample)
    set_width(spec,
              three_digits(plot.series[events.clicked_sample->series].x[events.clicked_sample->sample]));
}

}  // namespace attn
