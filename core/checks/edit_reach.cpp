// Stages behind what is given anew, in the order of the graph.
#include "core/checks/edit_reach.h"

#include <algorithm>

#include "core/checks/comparison.h"

namespace attn {
namespace {

// Whether a stage is made in another way than the one of its name was.
bool is_edited(const Graph& before, const Stage& stage) {
  const auto was = before.find(stage.id);
  if (!was) return true;
  const Operation& operation = before.stages[*was].operation;
  const Tensor *given = given_tensor(stage.operation), *other = given_tensor(operation);
  if (given && other) return given->id() != other->id() && !(*given == *other);
  return !(stage.operation == operation);
}

}  // namespace

EditOperations edit_operations(const Results& before, const Results& after) {
  EditOperations found;
  const Graph& graph = after.graph;
  std::vector<bool> reached(graph.stages.size());
  for (StageIndex i = 0; i < reached.size(); ++i) {
    const Stage& stage = graph.stages[i];
    reached[i] = is_edited(before.graph, stage) ||
                 std::ranges::any_of(stage.inputs, [&](StageIndex input) { return reached[input]; });
    if (stage.given()) continue;
    const double count = operation_count(graph, i);
    if (reached[i]) found.reached += count;
    if (after.ran[i]) found.done += count;
  }
  return found;
}

}  // namespace attn
