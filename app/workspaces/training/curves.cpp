// Loss and accuracy over the steps: of held-out rows thick, of each batch thin, with what can be reached at
// best without positions.
#include <algorithm>
#include <cmath>

#include "app/inspector/inspector_numbers.h"
#include "app/theme/toolkit.h"
#include "app/workspaces/training/scene.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr float kHeldOut = 2.4f, kBatch = 0.8f;                    // points
constexpr float kBehind = 0.38f, kEarlier = 0.22f, kThin = 0.75f;  // how much is left of colours

// So many samples of `all` from one on.
Samples some_of(const Samples& all, std::size_t first, std::size_t count) {
  Samples some = all;
  if (all.tensor.empty()) some.start = all[first];
  some.first += first * all.stride, some.count = count;
  return some;
}

// A curve, fainter behind the step that is shown.
void add_curve(Plot& plot, const Samples& x, const Samples& y, std::size_t step, Series look, bool faint) {
  std::size_t until = 0;
  while (until < x.count && x[until] <= static_cast<double>(step)) ++until;
  if (faint) until = 0;
  const ImU32 colour = look.colour;
  if (until > 1) {
    look.x = some_of(x, 0, until), look.y = some_of(y, 0, until);
    plot.series.push_back(look);
  }
  const std::size_t from = until > 0 ? until - 1 : 0;
  if (x.count < from + 2) return;
  look.x = some_of(x, from, x.count - from), look.y = some_of(y, from, x.count - from);
  look.colour = with_alpha(colour, faint ? kEarlier : kBehind), look.emphasised = !faint;
  plot.series.push_back(look);
}

// Between two snapshots on the line.
std::optional<double> value_at(const Samples& x, const Samples& y, double at) {
  for (std::size_t i = 0; i < x.count; ++i) {
    if (x[i] == at) return y[i];
    if (i == 0 || x[i] < at || x[i - 1] > at) continue;
    return y[i - 1] + (y[i] - y[i - 1]) * (at - x[i - 1]) / (x[i] - x[i - 1]);
  }
  return std::nullopt;
}

// Where a run is at the step that is shown; the one whose maps are seen says its number.
void add_place(Plot& plot, const TrainingScene& scene, const TrainedRun& run, const Samples& x,
               const Samples& y) {
  const auto value = value_at(x, y, static_cast<double>(scene.step));
  if (!value || !std::isfinite(*value)) return;
  char number[32];
  std::snprintf(number, sizeof number, "%c %.3f", run.letter, *value);
  plot.notes.push_back({.x = static_cast<double>(scene.step),
                        .y = *value,
                        .text = &run == &scene.run ? number : "",
                        .colour = scene.colour(run)});
}

void add_bound(Plot& plot, double at, const std::string& label, ImU32 colour) {
  plot.markers.push_back({.vertical = false, .at = at, .label = label, .colour = colour});
}

void add_handle(Plot& plot, const TrainingScene& scene) {
  plot.markers.push_back(
      {.id = "step", .at = static_cast<double>(scene.step), .dashed = false, .draggable = true});
}

void follow_handle(TrainingScene& scene, const PlotEvents& events) {
  if (events.marker) take_step(scene, events.marker->to);
  if (events.clicked) take_step(scene, events.clicked->x);
}

Plot time_plot(const TrainingScene& scene, const char* id, const char* title, const std::string& subtitle) {
  Plot plot{.id = id, .title = title, .subtitle = {{subtitle}}};
  plot.x = {.low = 0, .high = static_cast<double>(scene.last)};
  plot.legend = PlotLegend::none;
  plot.clickable = plot.marker_takes_drags = true;
  plot.cursor_hint = "drag the step";
  return plot;
}

// Each run once: those that were reset, then what is trained now, the one that is seen on top.
void each_run(TrainingScene& scene, const std::function<void(const TrainedRun&, bool earlier)>& draw) {
  for (const TrainedRun& run : scene.runs.earlier) draw(run, true);
  for (const TrainedRun* run : scene.runs.shown())
    if (run != &scene.run) draw(*run, false);
  draw(scene.run, false);
}

}  // namespace

void draw_training_loss(TrainingScene& scene, Rect area) {
  const std::string rows = std::to_string(scored_rows(*scene.run.spec));
  Plot plot = time_plot(scene, "training.loss", "loss",
                        "cross-entropy on " + rows + " held-out rows; thin: each batch");
  const double blind = std::log(static_cast<double>(symbols_of(scene.task())));
  double highest = blind;
  each_run(scene, [&](const TrainedRun& run, bool earlier) {
    const RunCurves& curves = curves_of(scene.memo, run);
    const ImU32 colour = scene.colour(run);
    const Samples steps = Samples::range(static_cast<double>(curves.first), 1, curves.batches.count);
    add_curve(plot, steps, curves.batches, scene.step,
              {.colour = with_alpha(colour, kThin), .thickness = kBatch}, earlier);
    add_curve(plot, curves.steps, curves.losses, scene.step, {.colour = colour, .thickness = kHeldOut},
              earlier);
    if (curves.losses.count > 0 && std::isfinite(curves.losses[0]))
      highest = std::max(highest, curves.losses[0]);
    if (!earlier) add_place(plot, scene, run, curves.steps, curves.losses);
  });
  plot.y = {.low = 0, .high = 1.1 * highest};
  add_bound(plot, blind, "ln " + std::to_string(symbols_of(scene.task())) + ", a blind guess",
            scene.theme().dim);
  if (const auto bound = known_bound(scene))
    add_bound(plot, bound->loss, inspector::write(bound->loss, {4}) + ": no order, no better",
              series_colour(1));
  add_handle(plot, scene);
  follow_handle(scene, draw_plot(scene.frame, plot, area));
}

void draw_training_accuracy(TrainingScene& scene, Rect area) {
  const bool written = reads_written(scene.run.spec->model);
  Plot plot = time_plot(scene, "training.accuracy", "accuracy",
                        written ? "of single symbols, the right ones before given" : "of single symbols");
  each_run(scene, [&](const TrainedRun& run, bool earlier) {
    const RunCurves& curves = curves_of(scene.memo, run);
    add_curve(plot, curves.steps, curves.accuracies, scene.step,
              {.colour = scene.colour(run), .thickness = kHeldOut}, earlier);
    if (!earlier) add_place(plot, scene, run, curves.steps, curves.accuracies);
  });
  plot.y = {.low = 0, .high = 1.04};
  if (const auto bound = known_bound(scene))
    add_bound(plot, bound->accuracy, inspector::write(bound->accuracy, {4}) + ": no order, no better",
              series_colour(1));
  add_handle(plot, scene);
  follow_handle(scene, draw_plot(scene.frame, plot, area));
}

void draw_training_norms(TrainingScene& scene, Rect area) {
  Plot plot = time_plot(scene, "training.gradient", "gradient", "");
  const std::string of = "norm by group, run ";
  plot.subtitle = {{of + scene.run.letter}};
  const RunCurves& curves = curves_of(scene.memo, scene.run);
  const Theme& theme = scene.theme();
  const std::array<ImU32, kParameterGroups> colours{theme.text,
                                                    series_colour(6),
                                                    role_colour(theme, Role::query),
                                                    role_colour(theme, Role::key),
                                                    role_colour(theme, Role::value),
                                                    role_colour(theme, Role::output),
                                                    theme.dim,
                                                    series_colour(4)};
  for (std::size_t group = 0; group < kParameterGroups; ++group) {
    const Samples& norms = curves.norms[group];
    if (norms.empty()) continue;
    plot.series.push_back({.name = name(static_cast<ParameterGroup>(group)),
                           .x = curves.steps,
                           .y = norms,
                           .colour = colours[group]});
  }
  plot.y = {.log = true};
  plot.legend = PlotLegend::below;
  add_handle(plot, scene);
  follow_handle(scene, draw_plot(scene.frame, plot, area));
}

}  // namespace attn
