// What stands beside the titles of the matrices: formulas in terms of what the canvas shows.
#include <algorithm>

#include "app/workspaces/gradients/scene.h"
#include "core/graph/rounding.h"

namespace attn {
namespace {

constexpr std::string_view kTimes = " · ";

const std::string& symbol_in_formulas(const Stage& stage) {
  return stage.symbol.empty() ? stage.title : stage.symbol;
}

// The one gradient that another is made of; none where there are several.
std::optional<StageIndex> only_gradient(const Graph& graph, const Stage& stage) {
  std::optional<StageIndex> found;
  for (const StageIndex input : stage.inputs) {
    if (graph.stages[input].role != Role::gradient) continue;
    if (found && *found != input) return std::nullopt;
    found = input;
  }
  return found;
}

// What stands in a formula for a gradient: its symbol; of one that is looked through what it is made of, with
// a factor before it: "1/√4 · dS".
std::string written_through(const Graph& graph, StageIndex index) {
  const Stage& stage = graph.stages[index];
  const auto from = only_gradient(graph, stage);
  if (stage.drawn != Drawn::never || !from) return symbol_in_formulas(stage);
  const std::string inner = written_through(graph, *from), &symbol = symbol_in_formulas(graph.stages[*from]);
  if (!stage.formula.ends_with(symbol)) return inner;
  return stage.formula.substr(0, stage.formula.size() - symbol.size()) + inner;
}

std::string gradient_formula(const Graph& graph, const Stage& stage) {
  std::string formula = stage.formula;
  const auto from = only_gradient(graph, stage);
  if (!from) return formula;
  const std::string& symbol = symbol_in_formulas(graph.stages[*from]);
  if (formula == symbol && graph.stages[*from].drawn == Drawn::never)
    return gradient_formula(graph, graph.stages[*from]);
  const std::size_t at = formula.find(symbol);
  if (at == formula.npos) return formula;
  if (graph.stages[*from].given() && formula.compare(at + symbol.size(), kTimes.size(), kTimes) == 0)
    formula.erase(at, symbol.size() + kTimes.size());  // of the loss by itself: 1
  else
    formula.replace(at, symbol.size(), written_through(graph, *from));
  return formula;
}

// All that is done to scores before they are weighed: "QKᵀ ÷ √4 · causal".
std::string scores_formula(const GradientsScene& scene, StageIndex index) {
  const Graph& graph = scene.results.graph;
  const Stage& computed = graph.stages[computing(graph, index)];
  if (index <= scene.places().layer.scores || computed.inputs.empty()) return computed.formula;
  const StageIndex before = computed.inputs.front();
  const std::string inner = scores_formula(scene, before);
  const bool first = computing(graph, before) == computing(graph, scene.places().layer.scores);
  return inner + (first ? " " : " · ") + computed.formula;
}

}  // namespace

const std::string& matrix_title(const GradientsScene& scene, StageIndex index) {
  const LayerStages& layer = scene.places().layer;
  return scene.stage(index == layer.weighed ? layer.scores : index).title;
}

std::string matrix_formula(const GradientsScene& scene, StageIndex index) {
  const LayerStages& layer = scene.places().layer;
  const Graph& graph = scene.results.graph;
  if (index == layer.weighed) return scores_formula(scene, index);
  if (index == layer.output && !layer.w_o) return graph.stages[computing(graph, layer.head_output)].formula;
  const Stage& stage = graph.stages[index];
  return stage.role == Role::gradient ? gradient_formula(graph, stage) : stage.formula;
}

std::string matrix_heads(const GradientsScene& scene, StageIndex index) {
  const Stage& stage = scene.stage(index);
  const std::size_t heads = heads_of(scene.results.graph, scene.places().part);
  if (heads < 2) return {};
  if (stage.shape.stack > 1) return "head " + std::to_string(matrix_head(scene, stage.shape.stack));
  if (!stage.gradient_of || !scene.stage(*stage.gradient_of).given()) return {};
  const bool learned = scene.stage(*stage.gradient_of).drawn == Drawn::parameters;
  return (learned ? "of all " : "sum over ") + std::to_string(heads) + " heads";
}

}  // namespace attn
