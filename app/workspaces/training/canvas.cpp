// The canvas of the workspace of training: its parts laid out, and why a run goes no further.
#include <algorithm>
#include <array>
#include <utility>

#include "app/canvas/parts.h"
#include "app/canvas/steps.h"
#include "app/workspaces/training/row.h"
#include "app/workspaces/training/scene.h"

namespace attn {
namespace {

constexpr float kTrainingGapY = 12;
constexpr float kLeastCurves = 190, kLeastTime = 150, kLeastMaps = 300, kExamplesHeight = 310,
                kMostWeights = 160;

TrainingAreas lay_out(const TrainingScene& scene, ImVec2 canvas) {
  TrainingAreas a;
  const Theme& theme = scene.theme();
  const float margin = theme.px(kSceneMargin), gap = theme.px(kSceneGap), below = theme.px(kTrainingGapY);
  Shelf shelf{margin, canvas.x - margin, theme.px(8)};
  const auto part = [&](float share, float least) { return std::max(canvas.y * share, theme.px(least)); };
  const float why = training_why_height(scene, canvas.x - 2 * margin);
  if (canvas.x >= theme.px(kRoomyScene + 2 * kSceneMargin)) {
    shelf.side_by_side({{&a.loss, 0.5f}, {&a.accuracy, 0.5f}}, part(0.25f, kLeastCurves), gap, below);
    a.time = shelf.take(part(0.19f, kLeastTime), below);
    const float rest = canvas.y - shelf.y - margin - (why > 0 ? why + below : 0);
    const float top = shelf.y, height = std::max(rest, theme.px(kLeastMaps));
    shelf.side_by_side({{&a.maps, 0.37f}, {&a.examples, 0.3f}, {&a.gradient, 0.33f}}, height, gap, below);
    a.weights = a.gradient;
    a.weights.min.y = top + height - std::min(0.45f * height, theme.px(kMostWeights));
    a.gradient.max.y = a.weights.min.y - below;
  } else {
    a.loss = shelf.take(theme.px(kLeastCurves), below);
    a.accuracy = shelf.take(theme.px(kLeastCurves), below);
    a.time = shelf.take(theme.px(kLeastTime), below);
    a.maps = shelf.take(theme.px(kLeastMaps), below);
    a.examples = shelf.take(theme.px(kExamplesHeight), below);
    a.gradient = shelf.take(theme.px(kLeastCurves), below);
    a.weights = shelf.take(theme.px(kMostWeights), below);
  }
  if (why > 0) a.why = shelf.take(why, margin);
  a.content = {canvas.x, shelf.y};
  return a;
}

// The step's chip was pressed: the part that shows what it makes.
std::optional<Rect> revealed(const TrainingScene& scene, const TrainingAreas& areas) {
  if (std::exchange(scene.frame.canvas().reveal, "").empty()) return std::nullopt;
  const auto step = place_of(scene.frame.steps, scene.frame.canvas().step);
  const std::array places{areas.examples, areas.maps, areas.loss, areas.gradient, areas.weights, areas.time};
  return step && *step < places.size() ? std::optional(places[*step]) : std::nullopt;
}

// What went wrong, with a way out.
float draw_training_notice(Frame& frame, Rect canvas) {
  TrainingView& view = frame.view.of<TrainingView>();
  if (!view.runs) return 0;
  const Theme& theme = frame.theme;
  TrainingRuns& runs = *view.runs;
  if (!runs.planned.refusal.empty()) {
    std::string words = "This cannot be trained: ";
    words += runs.planned.refusal + (runs.a ? ". What is shown was trained before." : ".");
    return draw_band(theme, canvas, words, theme.warning, {});
  }
  if (!runs.error.empty()) return draw_band(theme, canvas, runs.error, theme.bad, {});
  if (runs.waits && frame.engine.device == kReference)
    return draw_band(theme, canvas, "On the reference, in double on one core, a step of training takes long.",
                     theme.warning, [&](float left, float right) {
                       ChipRow row(theme, left, right);
                       if (row.add({.id = "training.train",
                                    .text = "train",
                                    .tooltip = "here all the same (Space)",
                                    .on = true}))
                         frame.canvas().playing = true;
                     });
  for (TrainedRun* run : runs.shown()) {
    const auto& stop = run->seen.stop;
    if (!stop) continue;
    const std::string words = std::string("Run ") + run->letter + ": " + stop->words;
    return draw_band(theme, canvas, words, theme.bad, [&](float left, float right) {
      ChipRow row(theme, left, right);
      if (stop->why == RunStop::not_finite &&
          row.add({.id = "training.half_rate",
                   .text = "half the rate",
                   .tooltip = "goes on from the last good snapshot with half the learning rate",
                   .on = true}))
        frame.draft.training.rate = frame.draft.training.rate / 2;
      if (stop->why == RunStop::device && row.add({.id = "training.go_on",
                                                   .text = "go on",
                                                   .tooltip = "from the last snapshot, on the device in use",
                                                   .on = true})) {
        run->runner->go_on();
        frame.canvas().playing = true;
      }
    });
  }
  return 0;
}

}  // namespace

std::vector<StepChip> training_steps(const Graph& graph, const View&) {
  std::vector<StepChip> chips;
  for (const Step& step : graph.steps)
    chips.push_back({.id = "training_" + step.title, .title = step.title, .says = step.says, .stages = {}});
  return chips;
}

void play_training(View&, const Document&, double) {}

void draw_training(Frame& frame, Rect canvas) {
  using Areas = TrainingAreas;
  follow_runs(frame);
  ImGui::PushID("training notice");
  canvas.min.y += draw_training_notice(frame, canvas);
  ImGui::PopID();
  draw_parts<TrainingScene, Areas>(frame, canvas,
                                   {training_scene,
                                    lay_out,
                                    revealed,
                                    {{&Areas::loss, draw_training_loss},
                                     {&Areas::accuracy, draw_training_accuracy},
                                     {&Areas::time, draw_training_time},
                                     {&Areas::maps, draw_training_maps},
                                     {&Areas::examples, draw_training_examples},
                                     {&Areas::gradient, draw_training_norms},
                                     {&Areas::weights, draw_training_weights},
                                     {&Areas::why, draw_training_why}}});
}

}  // namespace attn
