// Outputs found by id or by role, and a cell explained from the outputs that its stage read.
#include "core/evaluate/results.h"

#include <algorithm>

namespace attn {

Tensor Results::output(std::string_view id) const {
  const auto stage = graph.find(id);
  return stage ? outputs[*stage] : Tensor();
}

Tensor Results::output(Role role, Address layer) const {
  const auto part = std::ranges::find(graph.parts, std::optional(layer), &Part::layer);
  const bool said = part != graph.parts.end();
  const auto stage = graph.find(
      role, said ? std::optional(static_cast<std::size_t>(part - graph.parts.begin())) : std::nullopt);
  return stage ? outputs[*stage] : Tensor();
}

Explanation explain(const Results& results, StageIndex index, Cell cell) {
  const Stage& stage = results.graph.stages[index];
  std::vector<Tensor> inputs;
  for (const StageIndex input : stage.inputs) inputs.push_back(results.outputs[input]);
  return explain(stage.operation, inputs, cell);
}

}  // namespace attn
