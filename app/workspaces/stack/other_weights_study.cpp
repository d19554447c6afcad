// Other weights of the row that is looked at, and what typing them changes: found behind the results.
#include <memory>

#include "app/cells/cell_layout.h"
#include "app/workspaces/stack/other_weights.h"
#include "core/operations/matmul.h"

namespace attn {
namespace {

struct KeptKey {
  OtherPlace place;
  TensorId typed = 0, out = 0;  // the weights with what is typed, and what comes out of the stack
  bool operator==(const KeptKey&) const = default;
};

StageIndex computed_stage(const Graph& graph, StageIndex stage) {
  return graph.stages[stage].computed_from.value_or(stage);
}

std::vector<float> floats(std::span<const float> values, std::size_t first, std::size_t count) {
  const auto part = values.subspan(first, count);
  return {part.begin(), part.end()};
}

// `mask`: 1 hides a key; empty: none is hidden.
MixedRow row_at(const OtherPlace& place, const Tensor& weights, const Tensor& values, const Tensor& mask) {
  const std::size_t keys = weights.columns(), width = values.columns();
  MixedRow row{.weights = floats(weights.values(), weights.index({place.head, place.row, 0}), keys),
               .seen = {},
               .width = width,
               .values = {}};
  const std::size_t matrix = shared_matrix(place.head, values.stack(), weights.stack());
  row.values = floats(values.values(), values.index({matrix, 0, 0}), keys * width);
  for (std::size_t key = 0; key < keys; ++key) {
    const bool hidden = !mask.empty() && mask[{mask.stack() == 1 ? 0 : place.head, place.row, key}] != 0;
    if (!hidden) row.seen.push_back(key);
  }
  return row;
}

}  // namespace

std::optional<OtherPlace> other_place(const StackScene& scene) {
  const LayerStages* layer = scene.attention(scene.layer);
  if (!layer) return std::nullopt;
  const Graph& graph = scene.results.graph;
  const auto id_of = [&](StageIndex stage) {
    const StageResult& result = scene.results.outputs[stage];
    return result.here() ? result.id() : 0;
  };
  OtherPlace place{.rows = scene.rows,
                   .layer = scene.layer,
                   .head = scene.head,
                   .row = scene.row,
                   .weights = layer->weights,
                   .mixed = layer->mixed,
                   .computed = id_of(computed_stage(graph, layer->weights)),
                   .values = id_of(layer->v),
                   .mask = layer->mask ? id_of(*layer->mask) : 0};
  const bool here = id_of(layer->weights) && id_of(layer->mixed) && place.computed && place.values;
  return here && (!layer->mask || place.mask) ? std::optional(place) : std::nullopt;
}

Study<OtherFound> study_others(const StackScene& scene, const OtherPlace& place) {
  const auto begin = [&]() -> StudyStep<OtherFound> {
    const LayerStages& layer = *scene.attention(place.layer);
    const Stage& stage = scene.stage(layer.weights);
    OtherFound named{.place = place, .query = axis_label(stage.rows, place.row)};
    for (std::size_t key = 0; key < stage.shape.columns; ++key)
      named.keys.push_back(axis_label(stage.columns, key));
    const Stage& mixed = scene.stage(computed_stage(scene.results.graph, layer.mixed));
    if (mixed.inputs.empty() || mixed.inputs.front() != layer.weights || layer.mixed != layer.head_output)
      named.others.refused = "the output is not these weights times V alone";
    return [named, weights = scene.numbers(computed_stage(scene.results.graph, layer.weights)),
            values = scene.numbers(layer.v),
            mask = layer.mask ? scene.numbers(*layer.mask) : Tensor()](OtherFound& found, Backend&) {
      found = named;
      found.row = row_at(found.place, weights, values, mask);
      if (found.others.refused.empty()) found.others = other_weights(found.row);
      return true;
    };
  };
  return scene.frame.studies.of<OtherFound>("stack.other weights", place, begin);
}

Study<KeptOutput> study_kept(const StackScene& scene, const OtherPlace& place) {
  const auto& results = scene.frame.engine.results;
  const KeptKey key{place, results->outputs[place.weights].id(), results->outputs[comes_out(*results)].id()};
  const auto begin = [&]() -> StudyStep<KeptOutput> {
    const auto run =
        std::make_shared<KeptOutputRun>(*results, place.weights, place.mixed, place.head, place.row);
    return [run](KeptOutput& found, Backend& backend) { return run->step(found, backend); };
  };
  return scene.frame.studies.of<KeptOutput>("stack.kept output", key, begin);
}

}  // namespace attn
