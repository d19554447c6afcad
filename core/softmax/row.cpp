// The layer's stages up to its softmax, within another graph.
#include "core/softmax/row.h"

#include <algorithm>

#include "core/document/layer_plan.h"
#include "core/system/error.h"

namespace attn {
namespace {

struct LayerScores {
  Graph graph = {};  // of the Pipeline
  StageIndex input = 0;
};

LayerScores scores_of(const Document& document, Address address) {
  Built built = build_layer(document, address);
  LayerScores scores{.input = built.places.as<LayerStages>()->weighed};
  scores.graph = std::move(built.graph);
  const Shape shape = scores.graph.stages[scores.input].shape;
  if (shape.size() == 0)
    throw Error("the layer has no query or no key: add tokens, or use scores of your own");
  return scores;
}

std::vector<bool> behind(const Graph& graph, StageIndex stage) {
  std::vector<bool> needed(graph.stages.size());
  needed[stage] = true;
  for (StageIndex i = stage + 1; i-- > 0;) {
    if (!needed[i]) continue;
    for (const StageIndex input : graph.stages[i].inputs) needed[input] = true;
    if (graph.stages[i].mask) needed[*graph.stages[i].mask] = true;
  }
  return needed;
}

LayerRow row_of(const LayerScores& scores, const SoftmaxSpec& spec) {
  const Stage& stage = scores.graph.stages[scores.input];
  LayerRow row{.stage = stage.id,
               .head = std::min(spec.head, stage.shape.stack - 1),
               .query = std::min(spec.query, stage.shape.rows - 1),
               .count = stage.shape.columns};
  if (stage.columns.labels && stage.columns.labels->size() == stage.shape.columns)
    row.keys = *stage.columns.labels;
  if (stage.rows.labels && row.query < stage.rows.labels->size()) row.label = (*stage.rows.labels)[row.query];
  return row;
}

}  // namespace

LayerRow layer_row(const Document& document, Address address) {
  return row_of(scores_of(document, address), document.softmax);
}

std::pair<LayerRow, StageIndex> append_layer_scores(Graph& graph, const Document& document, Address address) {
  const LayerScores scores = scores_of(document, address);
  const std::vector<bool> needed = behind(scores.graph, scores.input);
  graph.begin_part({.prefix = "layer.", .title = "layer"});
  std::vector<StageIndex> at(scores.graph.stages.size());
  for (StageIndex i = 0; i < needed.size(); ++i) {
    if (!needed[i]) continue;
    Stage stage = scores.graph.stages[i];
    for (StageIndex& input : stage.inputs) input = at[input];
    if (stage.mask) stage.mask = at[*stage.mask];
    if (stage.computed_from) stage.computed_from = at[*stage.computed_from];
    stage.traced = false, stage.drawn = Drawn::never, stage.step = Stage::kNoStep;
    at[i] = graph.add(std::move(stage));
  }
  return {row_of(scores, document.softmax), at[scores.input]};
}

}  // namespace attn
