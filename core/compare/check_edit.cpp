// Edits of a check: each throws before anything is changed.
#include "core/compare/check_edit.h"

#include "core/compare/check.h"
#include "core/compare/edit.h"
#include "core/document/layer_plan.h"
#include "core/graph/limits.h"
#include "core/system/error.h"

namespace attn {
namespace {

// All that is no matrix, as `a` has it.
void take_choices(LayerSpec& layer, const LayerSpec& a) {
  LayerSpec chosen = layer;
  visit_fields(of<LayerSpec>, [&](const auto& field, auto member) {
    if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(field)>, TensorField>)
      chosen.*member = a.*member;
  });
  chosen.direct = layer.direct;
  if (chosen.tokens.size() != query_count(layer)) chosen.tokens = layer.tokens;
  if (chosen.memory_tokens.size() != key_count(layer)) chosen.memory_tokens = layer.memory_tokens;
  layer = std::move(chosen);
}

std::vector<StageOverride> typed_numbers(const LayerSpec& layer, std::span<const GivenStage> stages) {
  const Graph graph = build_layer({.layers = {layer}}).graph;
  std::vector<StageOverride> typed;
  for (const GivenStage& given : stages) {
    const auto found = graph.find(given.id);
    if (!found || graph.stages[*found].shape != given.numbers.shape())
      throw Error("yours cannot become B: " + given.id + " has another shape than ours");
    check_override_count(typed.size() + given.numbers.shape().size());
    for (std::size_t i = 0; i < given.numbers.values().size(); ++i)
      typed.push_back({std::string(kLayerPlan.name),
                       given.id,
                       {cell_at(given.numbers.shape(), i), given.numbers.values()[i]}});
  }
  return typed;
}

}  // namespace

void take_check(Document& document, const Dump& dump, const std::string& path) {
  CheckSpec check = document.check;
  set_given_stages(check, dump.stages);
  check.on = true;
  check.file = {path};
  check.kept.clear();
  check.names.clear();
  for (const ArrayMeaning& meaning : dump.names) check.names.push_back(name_words(choice_of(meaning)));
  put_layer(document, {dump.layer});
  document.check = std::move(check);
}

void put_check(Document& document, const Document& taken) {
  put_layer(document, {taken.layer()});
  document.check = taken.check;
}

DumpRequest check_request(const Document& document) {
  return {.names = document.check.names,
          .change = [a = document.layer()](LayerSpec& layer) { take_choices(layer, a); }};
}

void put_check_beside_a(Document& document) {
  const LayerSpec a = document.layer();
  put_layer(document, {a, typed_numbers(a, given_stages(document.check))}, compared_address(document));
  document.check.on = false;
}

void put_mistaken_beside_a(Document& document, const LayerSpec& mistaken) {
  put_layer(document, {mistaken}, compared_address(document));
  document.check.on = false;
}

}  // namespace attn
