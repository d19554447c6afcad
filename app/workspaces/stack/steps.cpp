// The stage bar of the workspace of stacks: the layers of the side whose rows are shown, and what is around.
// It and what is looked at follow each other.
#include "app/canvas/steps.h"

#include <algorithm>

#include "app/frame/visible_stages.h"
#include "app/workspaces/stack/row.h"
#include "app/workspaces/stack/scene.h"
#include "core/text/numbers.h"

namespace attn {
namespace {

struct SteppedLayer {
  bool decoder = false;
  std::size_t layer = 0;
  bool operator==(const SteppedLayer&) const = default;
};

// "decoder.3.", which the ids of all stages of a layer begin with.
std::string layer_prefix(bool decoder, std::size_t layer) {
  return (decoder ? "decoder." : "encoder.") + std::to_string(layer) + ".";
}

// The layer that a stage is of; none: it is of no layer.
std::optional<SteppedLayer> layer_of(const Graph& graph, StageIndex stage) {
  const std::string_view prefix = graph.parts[graph.stages[stage].part].prefix;
  for (const bool decoder : {false, true}) {
    const std::string_view side = decoder ? "decoder." : "encoder.";
    if (!prefix.starts_with(side)) continue;
    const std::string_view rest = prefix.substr(side.size());
    const auto number = parse_number<std::size_t>(std::string(rest.substr(0, rest.find('.'))));
    if (number) return SteppedLayer{decoder, *number};
  }
  return std::nullopt;
}

std::optional<SteppedLayer> layer_of(const Graph& graph, const StepChip& chip) {
  return layer_of(graph, chip.stages.front());
}

// The number that is open, in another layer: of the same side, and the same there.
void move_pinned(View& view, const Graph& graph, SteppedLayer to) {
  const auto stage = view.pinned ? graph.find(view.pinned->stage) : std::nullopt;
  const auto from = stage ? layer_of(graph, *stage) : std::nullopt;
  if (!from || from->decoder != to.decoder || from->layer == to.layer) return;
  const std::string rest = view.pinned->stage.substr(layer_prefix(from->decoder, from->layer).size());
  const auto same = graph.find(layer_prefix(to.decoder, to.layer) + rest);
  if (same && holds(graph.stages[*same].shape, view.pinned->cell))
    view.pinned->stage = graph.stages[*same].id;
}

}  // namespace

std::vector<StepChip> stack_steps(const Graph& graph, const View& view) {
  std::vector<StepChip> chips = graph_steps(graph, view);
  const StackView& own = view.of<StackView>();
  const auto is_of = [&](const StepChip& chip, bool decoder) {
    const auto layer = layer_of(graph, chip);
    return layer && layer->decoder == decoder;
  };
  const auto has = [&](bool decoder) {
    return std::ranges::any_of(chips, [&](const StepChip& chip) { return is_of(chip, decoder); });
  };
  const bool decoder = own.rows == StackRows::encoder ? !has(false) : has(true);
  std::erase_if(chips, [&](const StepChip& chip) { return is_of(chip, !decoder); });
  StepChip* shown = nullptr;  // the layer, or the last that there is
  for (StepChip& chip : chips)
    if (const auto layer = layer_of(graph, chip); layer && layer->layer <= own.layer) shown = &chip;
  if (shown) shown->shown = true;
  return chips;
}

void follow_steps(Frame& frame) {
  if (!has_numbers(frame.engine.results)) return;
  const Graph& graph = frame.results->graph;
  StackView& own = frame.view.of<StackView>();
  CanvasView& canvas = frame.view.canvas();
  const bool decoder = shown_rows(*frame.results->places.as<StackStages>(), frame.view) != StackRows::encoder;
  const StackFollowed now{canvas.step, own.rows, own.box, own.layer};
  const StackFollowed before = own.followed.value_or(StackFollowed{{}, own.rows, own.box, own.layer});
  const bool moved = now.rows != before.rows || now.box != before.box || now.layer != before.layer;
  const StepChip* chip = frame.step();
  if (!moved && now.step != before.step && chip) {
    if (const auto layer = layer_of(graph, *chip)) own.layer = layer->layer;
  } else if (moved && canvas.step) {
    const auto shown = std::ranges::find(frame.steps, true, &StepChip::shown);
    if (shown != frame.steps.end()) canvas.step = shown->id;
  }
  if (own.layer != before.layer) move_pinned(frame.view, graph, {decoder, own.layer});
  own.followed = StackFollowed{canvas.step, own.rows, own.box, own.layer};
}

}  // namespace attn
