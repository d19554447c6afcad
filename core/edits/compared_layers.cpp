// Compared layers as wholes, and what of them follows A.
#include "core/edits/compared_layers.h"

#include <algorithm>

#include "core/attention/layer_fields.h"
#include "core/document/edit.h"
#include "core/document/layer_plan.h"
#include "core/system/error.h"

namespace attn {
namespace {

template <class Field>
constexpr bool is_matrix(const Field&) {
  return std::is_same_v<Field, TensorField> || std::is_same_v<Field, LabelsField>;
}

// `compared` with what it had as A had it.
LayerSpec followed(const LayerSpec& before, const LayerSpec& after, const LayerSpec& was, LayerSpec compared,
                   bool numbers_alone) {
  visit_fields(of<LayerSpec>, [&](const auto&, auto member) {
    const bool shared = was.*member == before.*member, left_alone = compared.*member == was.*member;
    if (shared && left_alone && !(before.*member == after.*member)) compared.*member = after.*member;
  });
  if (numbers_alone || is_whole(compared) || !is_whole(after)) return compared;
  LayerSpec choices = after;
  visit_fields(of<LayerSpec>, [&](const auto& field, auto member) {
    if (!is_matrix(field) && !(was.*member == before.*member)) choices.*member = compared.*member;
  });
  return is_whole(choices) ? choices : after;
}

}  // namespace

bool is_whole(const LayerSpec& layer) {
  try {
    build_graph(layer);
    return true;
  } catch (const Error&) {
    return false;
  }
}

TypedLayer typed_layer(const Document& document, Address address) {
  if (!document.has(address)) {
    TypedLayer layer = typed_layer(document);
    layer.layer = default_compared_layer(layer.layer);
    return layer;
  }
  TypedLayer layer{document.layer(address), overrides_of(document, kLayerPlan, address)};
  for (StageOverride& typed : layer.typed) typed.layer = kLayerA;
  return layer;
}

void put_layer(Document& document, const TypedLayer& layer, Address address) {
  begin_layer(document, address);
  document.layer(address) = layer.layer;
  if (typed_layer(document, address).typed == layer.typed) return;
  std::erase_if(document.overrides,
                [&](const StageOverride& o) { return o.workspace == kLayerPlan.name && o.layer == address; });
  for (StageOverride typed : layer.typed)
    typed.layer = address, document.overrides.push_back(std::move(typed));
}

void follow(const Document& before, Document& after) {
  const TypedLayer a = typed_layer(before), now = typed_layer(after);
  if (a == now) return;
  const bool numbers_alone = same_structure(before, after);
  for (Address at = kLayerB; before.has(at) && after.has(at); ++at.layer) {
    const TypedLayer was = typed_layer(before, at);
    TypedLayer compared = typed_layer(after, at);
    // Swapped, or edited as a whole: nothing is left to follow.
    if (compared.layer == a.layer && !(was.layer == a.layer)) continue;
    compared.layer = followed(a.layer, now.layer, was.layer, compared.layer, numbers_alone);
    if (was.typed == a.typed && compared.typed == was.typed) compared.typed = now.typed;
    put_layer(after, compared, at);
  }
}

}  // namespace attn
