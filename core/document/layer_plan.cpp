// The Pipeline's graph: one layer.
#include "core/document/layer_plan.h"

#include "core/attention/scoring_parameters.h"
#include "core/document/document_fields.h"
#include "core/system/error.h"

namespace attn {
namespace {

// Of a layer that gives Q, K and V directly, x and the projections wait for the way back.
bool in_use(const LayerSpec& layer, const Tensor& tensor) {
  if (&tensor == &layer.mask || &tensor == &layer.dropout_mask) return false;  // they show in what they hide
  if (&tensor == &layer.bias) return true;
  if (is_score_parameter(layer, tensor)) return uses_score_parameter(layer, tensor);
  const bool direct = &tensor == &layer.q || &tensor == &layer.k || &tensor == &layer.v;
  return direct == layer.direct;
}

// Throws Error for a number typed over a stage that the graph does not have, or over `made`, which nothing is
// made of.
void check_typed(const Graph& graph, const std::string& road, std::optional<StageIndex> made = {}) {
  for (const StageOverride& typed : graph.overrides)
    if (const auto stage = graph.find(id_of(typed)); !stage || stage == made)
      throw Error(road + " cannot compute this layer: numbers are typed over " + typed.stage +
                  ", which it does not make");
}

// A number that is typed over may be one of a stage that this does not make, or makes beside the outputs.
std::optional<Graph> fused_layer(const Document& document) {
  if (!overrides_of(document, kLayerPlan).empty() || !flash_obstacle(document.layer()).empty())
    return std::nullopt;
  return build_flash_layer(document, {.weights = true, .mask = true}).graph;
}

}  // namespace

Built build_layer(const Document& document, Address address) {
  Graph graph{.overrides = overrides_of(document, kLayerPlan, address)};
  for (StageOverride& typed : graph.overrides) typed.layer = kLayerA;  // without a prefix
  const LayerStages places = append_layer(graph, document.layer(address), {.address = address});
  Built built(std::move(graph), Places(places));
  built.by_bands = true;
  if (address == kLayerA) built.fused = fused_layer;
  return built;
}

Built build_flash_layer(const Document& document, const FlashRequest& request) {
  Graph graph{.overrides = overrides_of(document, kLayerPlan, kLayerA)};
  const LayerStages places = append_flash_layer(graph, document.layer(), request);
  check_typed(graph, "flash attention", request.weights ? std::optional(places.weights) : std::nullopt);
  return {std::move(graph), Places(places)};
}

Built build_linear_layer(const Document& document, const LinearRequest& request) {
  Graph graph{.overrides = overrides_of(document, kLayerPlan, kLayerA)};
  const LayerStages places = append_linear_layer(graph, document.layer(), request);
  check_typed(graph, "linear attention");
  return {std::move(graph), Places(places)};
}

Graph given_layer(const Document& document) {
  Graph graph;
  const std::size_t step = graph.add_step({.title = "given", .says = "the matrices of the document"});
  visit_fields(of<LayerSpec>, [&]<class Field>(const Field& field, auto member) {
    if constexpr (std::is_same_v<Field, TensorField>) {
      const LayerSpec& layer = document.layer();
      const Tensor& tensor = layer.*member;
      if (tensor.empty() || !in_use(layer, tensor)) return;
      graph.add({.id = std::string(field.stage),
                 .title = std::string(field.symbol),
                 .formula = "given",
                 .operation = Source{tensor},
                 .role = field.role,
                 .stack = field.stack,
                 .sentence = std::string(field.number),
                 .field = field_of(kLayerA, field.text.key),
                 .step = step});
    }
  });
  return graph;
}

}  // namespace attn
