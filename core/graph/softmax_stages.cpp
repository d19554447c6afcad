// Following a softmax back from its weights.
#include "core/graph/softmax_stages.h"

#include "core/graph/rounding.h"

namespace attn {

std::optional<SoftmaxStages> softmax_at(const Graph& graph, StageIndex weights) {
  const Stage& division = graph.stages[computing(graph, weights)];
  if (division.traits.step != SoftmaxStep::division) return std::nullopt;
  const Stage& exponential = graph.stages[computing(graph, division.inputs[0])];
  const Traits& shares = exponential.traits;
  if (shares.step != SoftmaxStep::exponential || exponential.inputs.size() != 2) return std::nullopt;
  // Another sum, and the rows need not add up to 1.
  const StageIndex sum = computing(graph, division.inputs[1]);
  if (graph.stages[sum].traits.step != SoftmaxStep::sum) return std::nullopt;
  return SoftmaxStages{.weights = weights,
                       .sum = division.inputs[1],
                       .exponentials = division.inputs[0],
                       .maximum = exponential.inputs[1],
                       .input = exponential.inputs[0],
                       .mask = graph.stages[weights].mask,
                       .empty_row = shares.empty_row};
}

StageIndex append_row_softmax(Graph& graph, StageIndex from, Stage weights) {
  const auto add = [&](const char* what, std::string formula, Operation operation,
                       std::vector<StageIndex> inputs, bool one) {
    Stage stage = weights;
    stage.id += std::string("_") + what, stage.title = what, stage.formula = std::move(formula);
    stage.operation = std::move(operation), stage.inputs = std::move(inputs);
    stage.traced = false, stage.drawn = Drawn::inside, stage.range = Range::any;
    stage.row_total = RowTotal::any, stage.sentence = std::string(what) + " of %r";
    if (one) stage.columns = {}, stage.role = Role::statistic;
    return graph.add(std::move(stage));
  };
  const StageIndex maximum = add("maximum", "max", RowMaximum{}, {from}, true);
  const StageIndex exponentials = add("exponentials", "exp(x − max)", Exponential{}, {from, maximum}, false);
  const StageIndex sum = add("sum", "Σ", RowSum{}, {exponentials}, true);
  weights.operation = Normalize{}, weights.inputs = {exponentials, sum};
  return graph.add(std::move(weights));
}

}  // namespace attn
