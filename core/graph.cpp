#include "core/graph.h"

#include "core/error.h"

namespace attn {
namespace {

// 4 GiB of floats: more is a slip of the hand, and would take the machine down before it took the program
// down.
constexpr std::size_t kLargestStage = std::size_t{1} << 30;

}  // namespace

std::optional<StageIndex> Graph::find(std::string_view id) const {
  for (StageIndex i = 0; i < stages.size(); ++i)
    if (stages[i].id == id) return i;
  return std::nullopt;
}

std::vector<Shape> Graph::input_shapes(StageIndex stage) const {
  std::vector<Shape> shapes;
  for (const StageIndex input : stages[stage].inputs) shapes.push_back(stages[input].shape);
  return shapes;
}

StageIndex Graph::add(Stage stage) {
  stages.push_back(std::move(stage));
  Stage& added = stages.back();
  try {
    added.shape = result_shape(added.operation, input_shapes(stages.size() - 1));
    if (added.shape.size() > kLargestStage)
      throw Error("a result of " + to_string(added.shape) + " would take " +
                  std::to_string((added.shape.size() * sizeof(float)) >> 30) +
                  " GiB: use fewer tokens or heads");
  } catch (const Error& error) {
    throw Error(added.id + ": " + error.what(), error.fault());
  }
  return stages.size() - 1;
}

}  // namespace attn
