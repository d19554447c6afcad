// The stage bar of the workspace of stacks: the layers of the side whose rows are shown, and what is around.
#include "app/canvas/steps.h"

#include <algorithm>

#include "app/workspaces/stack/row.h"
#include "app/workspaces/stack/view.h"

namespace attn {
namespace {

// Whether the step computes with parameters of a layer of that side.
bool reads_side(const Graph& graph, const StepChip& chip, bool decoder) {
  const std::string key = part_key(decoder, "") + ".";
  const auto of_block = [&](const std::string& field) {
    return field.starts_with(key) && field.size() > key.size() && field[key.size()] >= '0' &&
           field[key.size()] <= '9';
  };
  return std::ranges::any_of(chip.stages, [&](StageIndex stage) {
    return std::ranges::any_of(graph.stages[stage].inputs,
                               [&](StageIndex input) { return of_block(graph.stages[input].field); });
  });
}

}  // namespace

std::vector<StepChip> stack_steps(const Graph& graph, const View& view) {
  std::vector<StepChip> chips = graph_steps(graph, view);
  const bool hidden = view.of<StackView>().rows == StackRows::encoder;
  const auto goes = [&](const StepChip& chip) { return reads_side(graph, chip, hidden); };
  // A stack of one side has no other whose layers could be hidden.
  if (!std::ranges::all_of(
          chips, [&](const StepChip& chip) { return goes(chip) || !reads_side(graph, chip, !hidden); }))
    std::erase_if(chips, goes);
  return chips;
}

}  // namespace attn
