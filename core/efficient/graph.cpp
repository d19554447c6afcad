// The layer's first tokens, and the roads on the device.
#include "core/efficient/graph.h"

#include <algorithm>

#include "core/attention/flash_operation.h"
#include "core/edits/edit.h"
#include "core/efficient/fields.h"
#include "core/efficient/road_features.h"
#include "core/efficient/road_rules.h"

namespace attn {
namespace {

// The document with so many tokens that every pair of them can be drawn; how many there were, 0 where it is
// as it was.
std::size_t keep_first_tokens(Document& document, Address address) {
  const LayerSpec& layer = document.layer(address);
  const std::size_t tokens = std::max(query_count(layer), key_count(layer));
  if (tokens <= efficient_field::kMostShownTokens) return 0;
  for (const TokenSide side : {TokenSide::query, TokenSide::key})
    if (token_count(document.layer(address), side) > efficient_field::kMostShownTokens)
      set_token_count({document, address}, efficient_field::kMostShownTokens, {}, side);
  return tokens;
}

// What is looked through: it is shown by the table of roads.
struct RoadBuilder {
  Graph& graph;
  const EfficientSpec& spec;
  EfficientPlaces& places;

  const Stage& stage(StageIndex index) const { return graph.stages[index]; }
  std::size_t queries() const { return stage(places.layer.scores).shape.rows; }
  std::size_t keys() const { return stage(places.layer.scores).shape.columns; }
  std::ptrdiff_t first() const { return first_place(places.shown.masks, queries(), keys()); }

  StageIndex add(Road road, const std::string& what, Operation operation, std::vector<StageIndex> inputs) {
    const std::string word(efficient_field::road.word_of(road));
    Stage made{.id = "road_" + word + what,
               .title = word,
               .formula = {},
               .operation = std::move(operation),
               .inputs = std::move(inputs)};
    made.rows = stage(places.layer.q).rows;
    made.traced = false, made.drawn = Drawn::never, made.stack = Stack::heads;
    made.gaps = road != Road::flash;  // where no key is left, or no feature
    return graph.add(std::move(made));
  }

  // With the road's rules where one list has them and the layer's, else with what both hide as a matrix.
  StageIndex add_softmax(Road road, const std::vector<MaskTerm>& rules) {
    const LayerStages& at = places.layer;
    FlashAttention op = flash_operation(places.shown, stage(at.q).shape.columns, first());
    std::vector<StageIndex> inputs{at.q, at.k, at.v};
    op.bias = at.bias.has_value();
    if (op.bias) inputs.push_back(*at.bias);
    const auto joined = joined_rules(places.shown.masks, rules);
    if (joined && places.shown.mask.empty()) {
      op.masks = *joined;
    } else {
      op.masked = true;
      inputs.push_back(rules.empty() ? *at.mask : add_mask(road, rules));
    }
    return add(road, "", std::move(op), std::move(inputs));
  }
  StageIndex add_mask(Road road, const std::vector<MaskTerm>& rules) {
    std::vector<StageIndex> own;
    if (places.layer.mask) own = {*places.layer.mask};
    Mask mask{.queries = queries(), .keys = keys(), .rules = rules, .first = first()};
    return add(road, "_mask", std::move(mask), std::move(own));
  }

  StageIndex add_linear(Road road) {
    const FeatureKind kind = features_of(road);
    const std::size_t width = stage(places.layer.q).shape.columns;
    const FeatureMap map{kind, feature_scale(kind, flash_operation(places.shown, width, 0).scale)};
    std::vector<StageIndex> directions;
    if (kind == FeatureKind::random)
      directions = {
          add(road, "_directions", Source{random_directions(width, spec.feature_count, spec.seed)}, {})};
    const auto features = [&](const char* what, StageIndex of) {
      std::vector<StageIndex> inputs{of};
      inputs.insert(inputs.end(), directions.begin(), directions.end());
      return add(road, what, map, std::move(inputs));
    };
    const StageIndex q = features("_q", places.layer.q), k = features("_k", places.layer.k);
    return add(road, "", LinearAttention{places.shown.masks, first()}, {q, k, places.layer.v});
  }

  void add_roads() {
    const std::size_t tokens = std::max(queries(), keys());
    for (const Road road : spec.roads) {
      if (road == Road::full || !road_obstacle(road, places.shown).empty()) continue;
      places.roads.push_back(
          {road, is_linear(road) ? add_linear(road) : add_softmax(road, rules_of(road, spec, tokens))});
    }
  }
};

}  // namespace

Built build_efficient(const Document& document, Address address) {
  Document shown = document;
  EfficientPlaces places;
  places.tokens_of = keep_first_tokens(shown, address);
  Graph graph{.overrides = overrides_of(shown, kEfficientPlan, address)};
  for (StageOverride& typed : graph.overrides) typed.layer = kLayerA;  // without a prefix
  places.shown = shown.layer(address);
  places.layer = append_layer(graph, places.shown, {.address = address});
  places.part = graph.stages[places.layer.output].part;
  RoadBuilder{graph, shown.efficient, places}.add_roads();
  return {std::move(graph), Places(std::move(places))};
}

}  // namespace attn
