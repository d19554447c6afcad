// Copies of whole tensors: what edits and options do now and then, not what a layer computes with.
#include "core/attention/heads.h"

#include <algorithm>
#include <vector>

namespace attn {

Tensor split_heads(const Tensor& wide, std::size_t heads) {
  const std::size_t width = wide.columns() / heads;
  std::vector<float> values;
  values.reserve(wide.values().size());
  for (std::size_t head = 0; head < heads; ++head)
    for (std::size_t row = 0; row < wide.rows(); ++row)
      for (std::size_t column = 0; column < width; ++column)
        values.push_back(wide[{0, row, head * width + column}]);
  return {{heads, wide.rows(), width}, std::move(values)};
}

Tensor side_by_side(const Tensor& stack) {
  std::vector<float> values;
  values.reserve(stack.values().size());
  for (std::size_t row = 0; row < stack.rows(); ++row)
    for (std::size_t head = 0; head < stack.stack(); ++head)
      for (std::size_t column = 0; column < stack.columns(); ++column)
        values.push_back(stack[{head, row, column}]);
  return {{1, stack.rows(), stack.stack() * stack.columns()}, std::move(values)};
}

std::optional<Columns> columns_of_head(const Graph& graph, StageIndex parameter, std::size_t head) {
  for (const Stage& stage : graph.stages) {
    const std::size_t owners = stage.traits.column_heads;
    if (owners < 2) continue;
    if (std::ranges::find(stage.inputs.begin() + 1, stage.inputs.end(), parameter) == stage.inputs.end())
      continue;
    const std::size_t all = heads_of(graph, stage.part);
    if (head >= all || all % owners != 0) return std::nullopt;
    const std::size_t width = graph.stages[parameter].shape.columns / owners;
    const std::size_t owner = shared_matrix(head, owners, all);
    return Columns{owner * width, (owner + 1) * width};
  }
  return std::nullopt;
}

}  // namespace attn
