#include <algorithm>

#include "app/on_canvas.h"
#include "app/workspaces/pipeline.h"
#include "app/workspaces/pipeline_blocks.h"

namespace attn {
namespace {

constexpr double kPlayPause = 1;    // seconds from step to step
constexpr double kFade = 0.16;      // seconds; interface.md allows 0.2
constexpr double kLongFrame = 0.1;  // a host that slept has not been showing the animation
constexpr float kDimmed = 0.22f;

float opacity_at(const std::optional<std::size_t>& current, std::size_t step) {
  return current && step > *current ? kDimmed : 1;
}

std::vector<Step> all_steps(bool open_softmax, bool merges, bool projected) {
  std::vector<Step> steps{
      {"X", {"x", "memory"}, false, "every token is a row of numbers"},
      {"+ position", {"position", "encoding"}, false, "each row gets a pattern that says where it stands"},
      {"Q K V",
       {"q", "k", "v", "w_q", "w_k", "w_v", "b_q", "b_k", "b_v"},
       false,
       "queries ask, keys answer, values carry the content"},
      {"scores", {"scores"}, false, "every query times every key"},
      {"scaled", {"scaled"}, false, "divided, so that wide heads don't saturate the softmax"},
      {"biased", {"biased", "bias"}, false, "a number added to every pair of query and key"},
      {"masked", {"masked", "mask", "user_mask"}, false, "keys that a query must not see are struck out"},
      {"row max", {"row_max"}, false, "the largest score of each row: keeps exp small"},
      {"exp", {"exp"}, false, "e to the power of the score minus its row's maximum"},
      {"sum", {"row_sum"}, false, "each row's exponentials added up"},
      {open_softmax ? "÷ sum" : "weights",
       {"weights"},
       false,
       "each row divided by its sum: it adds up to 1"},
      {"dropped", {"dropped"}, false, "some weights set to 0 by chance, the others raised"},
      {merges ? "head output" : "output", {"head_output"}, false, "values mixed by the weights"},
      {projected ? "concat · W_O" : "concat",
       {"output", "concat", "w_o", "b_o"},
       false,
       projected ? "the heads side by side, times W_O" : "the heads side by side"},
  };
  if (!open_softmax)
    for (const char* id : kSoftmaxSteps) steps[10].stages.emplace_back(id);
  if (!merges)
    for (const char* id : {"concat", "output"}) steps[12].stages.emplace_back(id);
  return steps;
}

std::optional<std::size_t> next_present(const std::vector<Step>& steps, std::size_t from, int direction) {
  for (std::size_t i = from; i < steps.size(); i += static_cast<std::size_t>(direction))
    if (steps[i].present) return i;  // below 0 wraps around to a huge index
  return std::nullopt;
}

}  // namespace

std::vector<Step> pipeline_steps(const Graph& graph, const View& view) {
  const bool merges = merges_heads(graph);
  std::vector<Step> steps = all_steps(view.open_softmax, merges, graph.find("w_o").has_value());
  const auto exists = [&](const std::string& id) { return graph.find(id).has_value(); };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool shown = (i < 7 || i > 9 || view.open_softmax) && (i != 13 || merges);
    steps[i].present = shown && std::ranges::any_of(steps[i].stages, exists);
  }
  return steps;
}

void step_to(View& view, const std::vector<Step>& steps, std::size_t index) {
  if (steps.empty()) return;
  auto target = next_present(steps, std::min(index, steps.size() - 1), 1);
  if (!target) target = next_present(steps, steps.size() - 1, -1);
  if (!target || target == view.step) return;
  view.step_from = view.step;
  view.step = target;
  view.step_fade = view.settings.reduce_motion ? 1 : 0;
  view.reveal = steps[*target].stages.front();
  view.played = 0;
  view.message.clear();
}

void step_by(View& view, const std::vector<Step>& steps, int direction) {
  if (!view.step) return step_to(view, steps, direction > 0 ? 0 : kLastStep);
  const auto next = next_present(
      steps, std::min(*view.step, steps.size()) + static_cast<std::size_t>(direction), direction);
  if (next) step_to(view, steps, *next);
}

void leave_steps(View& view) {
  view.step_from = view.step;
  view.step.reset();
  view.step_fade = view.settings.reduce_motion ? 1 : 0;
  view.playing = false;
}

void toggle_play(View& view, const std::vector<Step>& steps) {
  view.playing = !view.playing;
  view.played = 0;
  if (!view.playing) return;
  const auto last = next_present(steps, steps.size() - 1, -1);
  if (!view.step || view.step == last) step_to(view, steps, 0);
}

void advance_steps(View& view, const std::vector<Step>& steps, double seconds) {
  if (view.step && (*view.step >= steps.size() || !steps[*view.step].present)) {  // the layer has lost it
    view.step = next_present(steps, std::min(*view.step, steps.size() - 1), -1);
    view.step_fade = 1;
  }
  seconds = std::min(seconds, kLongFrame);
  view.step_fade = std::min(1.0f, view.step_fade + static_cast<float>(seconds / kFade));
  if (view.settings.reduce_motion) view.step_fade = 1;
  if (!view.playing) return;
  view.played += seconds;
  if (view.played < kPlayPause) return;
  const std::optional<std::size_t> before = view.step;
  step_by(view, steps, 1);
  view.played = 0;
  if (view.step == before) view.playing = false;
}

float stage_opacity(const View& view, const std::vector<Step>& steps, std::string_view stage) {
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (std::ranges::count(steps[i].stages, stage) > 0) {
      const float to = opacity_at(view.step, i), from = opacity_at(view.step_from, i);
      return from + (to - from) * view.step_fade;
    }
  return 1;
}

}  // namespace attn
