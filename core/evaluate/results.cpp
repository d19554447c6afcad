// Outputs found by id or by role, and a cell explained from the outputs that its stage read.
#include "core/evaluate/results.h"

#include <algorithm>
#include <stdexcept>

namespace attn {

StageResult Results::result(std::string_view id) const {
  const auto stage = graph.find(id);
  return stage ? outputs[*stage] : StageResult();
}

StageResult Results::result(Role role, Address layer) const {
  const auto part = std::ranges::find(graph.parts, std::optional(layer), &Part::layer);
  const bool said = part != graph.parts.end();
  const auto stage = graph.find(
      role, said ? std::optional(static_cast<std::size_t>(part - graph.parts.begin())) : std::nullopt);
  return stage ? outputs[*stage] : StageResult();
}

// Of what is here in part the rows are: what is made by bands is made of its own row and of wholes.
bool can_explain(const Results& results, StageIndex index, Cell cell) {
  return std::ranges::all_of(results.graph.stages[index].inputs, [&](StageIndex input) {
    const StageResult& result = results.outputs[input];
    return result.with_row(cell.row) != nullptr;
  });
}

bool is_known(const Results& results, StageIndex index, Cell cell) {
  return results.outputs[index].holds(cell) && can_explain(results, index, cell);
}

Explanation explain(const Results& results, StageIndex index, Cell cell) {
  if (!can_explain(results, index, cell))
    throw std::logic_error("a number was explained by numbers that are not here");
  const Stage& stage = results.graph.stages[index];
  std::vector<Tensor> inputs;
  for (const StageIndex input : stage.inputs) inputs.push_back(*results.outputs[input].with_row(cell.row));
  return explain(stage.operation, inputs, cell);
}

}  // namespace attn
