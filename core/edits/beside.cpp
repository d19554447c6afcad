// Layers beside A as wholes, and what of them follows A.
#include "core/edits/beside.h"

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

// `beside` with what it had as A had it.
LayerSpec followed(const LayerSpec& before, const LayerSpec& after, const LayerSpec& was, LayerSpec beside,
                   bool numbers_alone) {
  visit_fields(of<LayerSpec>, [&](const auto&, auto member) {
    const bool shared = was.*member == before.*member, left_alone = beside.*member == was.*member;
    if (shared && left_alone && !(before.*member == after.*member)) beside.*member = after.*member;
  });
  if (numbers_alone || is_whole(beside) || !is_whole(after)) return beside;
  LayerSpec choices = after;
  visit_fields(of<LayerSpec>, [&](const auto& field, auto member) {
    if (!is_matrix(field) && !(was.*member == before.*member)) choices.*member = beside.*member;
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
    layer.layer = beginning_beside(layer.layer);
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
    TypedLayer beside = typed_layer(after, at);
    // Swapped, or edited as a whole: nothing is left to follow.
    if (beside.layer == a.layer && !(was.layer == a.layer)) continue;
    beside.layer = followed(a.layer, now.layer, was.layer, beside.layer, numbers_alone);
    if (was.typed == a.typed && beside.typed == was.typed) beside.typed = now.typed;
    put_layer(after, beside, at);
  }
}

}  // namespace attn
