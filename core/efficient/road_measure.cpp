// Graphs of the roads for the clock: queries, keys and values are given.
#include "core/efficient/road_measure.h"

#include <algorithm>
#include <cmath>

#include "core/efficient/fields.h"
#include "core/efficient/road_features.h"
#include "core/efficient/road_rules.h"
#include "core/measure/contender.h"
#include "core/measure/measured_layer.h"
#include "core/operations/flash.h"

namespace attn {
namespace {

std::vector<MaskTerm> measured_rules(const RoadsMeasured& of, Road road) {
  std::vector<MaskTerm> layer;
  if (of.causal) layer = {{.rule = CausalRule{}}};
  return *joined_rules(layer, rules_of(road, of.spec, of.n));
}

// Numbers of a standard normal, or of a graph that is only weighed their shape.
StageIndex give_random(Graph& graph, const std::string& id, Shape shape, LayerInputs inputs) {
  Source source{inputs == LayerInputs::numbers ? measured_numbers(shape)
                                               : Tensor::on_device(shape, std::make_shared<int>())};
  return graph.add({.id = id, .title = id, .formula = {}, .operation = std::move(source)});
}

StageIndex add_measured(Graph& graph, const std::string& id, Operation operation,
                        std::vector<StageIndex> inputs) {
  return graph.add(
      {.id = id, .title = id, .formula = {}, .operation = std::move(operation), .inputs = std::move(inputs)});
}

Graph build_road(const RoadsMeasured& of, Road road, std::size_t n, LayerInputs inputs) {
  Graph graph;
  const Shape keys{of.kv_heads, n, of.width};
  StageIndex q = give_random(graph, "q", {of.heads, n, of.width}, inputs);
  StageIndex k = give_random(graph, "k", keys, inputs);
  const StageIndex v = give_random(graph, "v", keys, inputs);
  const double scale = 1 / std::sqrt(static_cast<double>(of.width));
  if (!is_linear(road)) {
    FlashAttention op{.scale = scale, .masks = measured_rules(of, road)};
    add_measured(graph, "road", std::move(op), {q, k, v});
    return graph;
  }
  const FeatureKind kind = features_of(road);
  const FeatureMap map{kind, feature_scale(kind, scale)};
  std::vector<StageIndex> directions;
  if (kind == FeatureKind::random) {
    Source source{random_directions(of.width, of.spec.feature_count, of.spec.seed)};
    directions = {add_measured(graph, "directions", std::move(source), {})};
  }
  for (StageIndex* side : {&q, &k}) {
    std::vector<StageIndex> read{*side};
    read.insert(read.end(), directions.begin(), directions.end());
    *side = add_measured(graph, side == &q ? "phi_q" : "phi_k", map, std::move(read));
  }
  add_measured(graph, "road", LinearAttention{.masks = measured_rules(of, road)}, {q, k, v});
  return graph;
}

}  // namespace

std::string road_subject(Road road) {
  const std::string word(efficient_field::road.word_of(road));
  return road == Road::full ? word : "road " + word;
}

std::string road_not_measured(const RoadsMeasured& of, Road road) {
  constexpr std::size_t kMostRanked = 16384;  // tokens: n² ranks are drawn each time
  if (road == Road::full || is_linear(road)) return {};
  if (road == Road::bigbird && of.n > kMostRanked)
    return "random keys are the best of all: drawn for at most " + std::to_string(kMostRanked) + " tokens";
  return too_wide_for_flash(of.width);
}

// Full attention is one of the subjects.
Measurement measure_roads(const RoadsMeasured& of, MeasureSurroundings surroundings) {
  MeasureSpec spec{.shape = {.d = of.heads * of.width, .heads = of.heads, .kv_heads = of.kv_heads},
                   .lengths = {of.n},
                   .longest = of.n,
                   .stages_at = 0,
                   .attention_alone = true,
                   .alone = std::vector<std::string>{road_subject(Road::full)},
                   .rounds = kRoadRounds};
  std::vector<Contender> roads;
  for (const Road road : of.spec.roads)
    if (road != Road::full && road_not_measured(of, road).empty())
      roads.push_back(contender_of(road_subject(road), [of, road](std::size_t n, LayerInputs inputs) {
        return build_road(of, road, n, inputs);
      }));
  return Measurement(std::move(spec), std::move(roads), std::move(surroundings));
}

}  // namespace attn
