// Which part of the stack a stage is.
#include <algorithm>

#include "app/workspaces/stack/inspect_parts.h"
#include "core/graph/rounding.h"

namespace attn {
namespace {

bool is_stream(const Graph& graph, const BoxStages& box, StageIndex stage) {
  if (stage == box.before || stage == box.stream) return true;
  // The sum that a norm behind the box reads.
  return box.normed == box.stream && graph.stages[computing(graph, box.stream)].inputs.front() == stage;
}

std::optional<StackPlace> place_in(const Graph& graph, const SideStages& side, StageIndex stage) {
  if (stage == side.output)
    return StackPlace{.what = graph.stages[computing(graph, stage)].traits.passes_numbers ? StackPlace::stream
                                                                                          : StackPlace::norm,
                      .block = side.blocks.size() - 1,
                      .stage = stage};
  for (std::size_t block = 0; block < side.blocks.size(); ++block)
    for (const BoxStages& box : side.blocks[block].boxes) {
      if (box.normed == stage) return StackPlace{StackPlace::norm, false, block, stage};
      if (is_stream(graph, box, stage)) return StackPlace{StackPlace::stream, false, block, stage};
    }
  return std::nullopt;
}

}  // namespace

std::optional<StackPlace> stack_place(const Results& results, StageIndex stage) {
  const StackStages& places = *results.places.as<StackStages>();
  for (const bool decoder : {false, true})
    if (const SideStages* side = places.side(decoder))
      if (auto place = place_in(results.graph, *side, stage)) {
        place->decoder = decoder;
        return place;
      }
  return std::nullopt;
}

StageIndex lit_stage(const BlockStages& block, StackBox lit) {
  const BoxStages* box = block.find(lit);
  if (!box) box = &block.boxes.front();
  return box->normed.value_or(box->stream);
}

std::span<const float> stack_row(const Results& results, StageIndex stage, std::size_t row) {
  const Tensor& numbers = results.outputs[stage].whole();
  return numbers.values().subspan(row * numbers.columns(), numbers.columns());
}

}  // namespace attn
