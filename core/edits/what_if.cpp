// The changed layer is run once, from its inputs to its weights.
#include "core/edits/what_if.h"

#include <cmath>

#include "core/document/layer_plan.h"
#include "core/evaluate/run.h"
#include "core/reference/backend.h"
#include "core/system/error.h"

namespace attn {

Tensor weights_if(const Document& document, const LayerChange& change) {
  const LayerSpec& layer = document.layer();
  if (change.is_made(layer) || !change.obstacle(layer).empty()) return {};
  if (head_count(layer) * query_count(layer) * key_count(layer) > kMostWeights) return {};
  Document changed = document;
  Tensor weights;
  try {
    change.make({changed, kLayerA});
    const Graph graph = build_layer(changed).graph;
    const auto stage = graph.find(Role::weights);
    if (!stage) return {};
    Run run;
    run.needed.assign(graph.stages.size(), false);
    run.needed[*stage] = true;
    for (StageIndex i = *stage + 1; i-- > 0;)
      if (run.needed[i])
        for (const StageIndex input : graph.stages[i].inputs) run.needed[input] = true;
    run.done = [&](StageIndex i, const Tensor& result) {
      if (i == *stage) weights = result;
    };
    run_stages(*make_reference_backend(), graph, run);
  } catch (const Error&) {
    return {};
  }
  return weights;
}

MovedWeight most_moved(const Tensor& now, const Tensor& then, std::size_t head,
                       std::optional<std::size_t> row) {
  MovedWeight most{.at = {head, row.value_or(0), 0}};
  double largest = -1;
  for (std::size_t i = row.value_or(0); i < (row ? *row + 1 : now.rows()); ++i)
    for (std::size_t j = 0; j < now.columns(); ++j) {
      const Cell at{head, i, j};
      const double a = static_cast<double>(now[at]), b = static_cast<double>(then[at]);
      if (!(std::abs(b - a) > largest)) continue;
      largest = std::abs(b - a);
      most = {at, a, b};
    }
  return most;
}

}  // namespace attn
