// Which steps are shown, where the view stands among them, and the fading from one to the next.
#include "app/canvas/steps.h"

#include <algorithm>
#include <utility>

#include "app/frame/lit.h"
#include "app/frame/step_words.h"
#include "app/frame/workspace.h"
#include "core/graph/rounding.h"

namespace attn {
namespace {

constexpr double kPlayPause = 1;    // seconds from step to step
constexpr double kFade = 0.16;      // seconds; steps_test.cpp allows 0.2
constexpr double kLongFrame = 0.1;  // a host that slept has not been showing the animation
constexpr float kDimmed = 0.4f;

float opacity_at(std::optional<std::size_t> current, std::size_t step) {
  return current && step > *current ? kDimmed : 1;
}

// Parameters stand by themselves: a step that only has them besides is closed with the others.
bool is_inside(const Graph& graph, const Step& step) {
  const auto has = [&](Drawn drawn) {
    return std::ranges::any_of(step.stages, [&](StageIndex i) { return graph.stages[i].drawn == drawn; });
  };
  return has(Drawn::inside) && !has(Drawn::always);
}

// What a step is known by: the first stage that it results in.
std::string id_of(const Graph& graph, const std::vector<StageIndex>& stages) {
  const auto shown = [&](StageIndex i) {
    return graph.stages[i].traced && graph.stages[i].drawn != Drawn::never;
  };
  const auto read_here = [&](StageIndex i) {
    return std::ranges::any_of(stages, [&](StageIndex reader) {
      return shown(reader) && std::ranges::count(graph.stages[computing(graph, reader)].inputs, i) > 0;
    });
  };
  for (const StageIndex i : stages)
    if (shown(i) && !read_here(i)) return graph.stages[i].id;
  return graph.stages[stages.front()].id;
}

// In place of a step that is not shown any more: the one that its stages belong to now, else the one before.
std::optional<std::string> replacement(const Graph& graph, const std::vector<StepChip>& steps,
                                       const CanvasView& canvas) {
  if (steps.empty()) return std::nullopt;
  if (const auto stage = graph.find(*canvas.step))
    for (const StepChip& step : steps)
      if (std::ranges::count(step.stages, *stage) > 0) return step.id;
  const std::size_t before = canvas.step_place == 0 ? 0 : canvas.step_place - 1;
  return steps[std::min(before, steps.size() - 1)].id;
}

void begin_fade(View& view) {
  CanvasView& canvas = view.canvas();
  canvas.step_from = canvas.step;
  canvas.chips = 0;
  canvas.step_fade = view.settings.reduce_motion ? 1 : 0;
}

}  // namespace

std::vector<StepChip> graph_steps(const Graph& graph, const View& view) {
  std::vector<StepChip> chips;
  std::vector<StageIndex> inside;  // of the steps that are closed
  bool opened = false;             // the last chip is one inside
  const bool open = view.layer.open_softmax;
  for (const Step& step : graph.steps) {
    if (step.stages.empty()) continue;
    const bool hidden = is_inside(graph, step);
    if (hidden && !open) {
      inside.insert(inside.end(), step.stages.begin(), step.stages.end());
      continue;
    }
    StepChip chip{.id = id_of(graph, step.stages),
                  .title = open && !step.opened.empty() ? step.opened : step.title,
                  .says = step.says,
                  .stages = step.stages};
    chip.words = words_of_step(chip.id, chip.title);
    if ((hidden && !opened) || !inside.empty()) {  // one opens them all: before the weights, the last of them
      for (StepChip& before : chips) before.opener = false;
      chip.opener = true;
    }
    chip.stages.insert(chip.stages.end(), inside.begin(), inside.end());
    inside.clear();
    opened = hidden;
    chips.push_back(std::move(chip));
  }
  return chips;
}

std::optional<std::size_t> place_of(const std::vector<StepChip>& steps,
                                    const std::optional<std::string>& id) {
  const auto found = id ? std::ranges::find(steps, *id, &StepChip::id) : steps.end();
  return found == steps.end() ? std::nullopt : std::optional<std::size_t>(found - steps.begin());
}

void step_to(View& view, const std::vector<StepChip>& steps, std::size_t place) {
  if (steps.empty()) return;
  const std::size_t target = std::min(place, steps.size() - 1);
  CanvasView& canvas = view.canvas();
  if (canvas.step == steps[target].id) return;
  begin_fade(view);
  canvas.step = steps[target].id;
  canvas.step_place = target;
  canvas.reveal = steps[target].id;
  canvas.played = 0;
  view.message.clear();
}

void step_by(View& view, const std::vector<StepChip>& steps, int direction) {
  const auto place = place_of(steps, view.canvas().step);
  if (!place) return step_to(view, steps, direction > 0 ? 0 : kLastStep);
  if (direction < 0 && *place == 0) return;
  step_to(view, steps, *place + static_cast<std::size_t>(direction));
}

void leave_steps(View& view) {
  begin_fade(view);
  view.canvas().step.reset();
  view.canvas().playing = false;
}

void toggle_play(View& view, const Document& document, const std::vector<StepChip>& steps) {
  CanvasView& canvas = view.canvas();
  canvas.playing = !canvas.playing;
  canvas.played = 0;
  if (!canvas.playing || plays_its_own(view.workspace, document)) return;
  const auto place = place_of(steps, canvas.step);
  if (!place || *place + 1 == steps.size()) step_to(view, steps, 0);
}

void advance_steps(View& view, const Document& document, const Graph& graph,
                   const std::vector<StepChip>& steps, double seconds) {
  CanvasView& canvas = view.canvas();
  if (const auto place = place_of(steps, canvas.step)) {
    canvas.step_place = *place;
  } else if (canvas.step) {
    canvas.step = replacement(graph, steps, canvas);
    canvas.step_fade = 1;
  }
  seconds = std::min(seconds, kLongFrame);
  canvas.step_fade = std::min(1.0f, canvas.step_fade + static_cast<float>(seconds / kFade));
  if (view.settings.reduce_motion) canvas.step_fade = 1;
  if (!canvas.playing) return;
  if (plays_its_own(view.workspace, document)) {
    if (!graph.stages.empty()) view.workspace->play(view, document, seconds);
    return;
  }
  canvas.played += seconds;
  if (canvas.played < kPlayPause) return;
  const std::optional<std::string> before = canvas.step;
  step_by(view, steps, 1);
  canvas.played = 0;
  if (canvas.step == before) canvas.playing = false;
}

float stage_opacity(const View& view, const std::vector<StepChip>& steps, StageIndex stage) {
  const CanvasView& canvas = view.canvas();
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (std::ranges::count(steps[i].stages, stage) > 0) {
      const float to = opacity_at(place_of(steps, canvas.step), i);
      const float from = opacity_at(place_of(steps, canvas.step_from), i);
      return from + (to - from) * canvas.step_fade;
    }
  return 1;
}

float stage_opacity(const Frame& frame, StageIndex stage) {
  const Lit& lit = std::as_const(frame.view).of<Lit>();
  if (lit.cells.empty()) return stage_opacity(frame.view, frame.steps, stage);
  return lights(lit, frame.graph.stages[stage].id) ? 1 : kUnlit;
}

}  // namespace attn
