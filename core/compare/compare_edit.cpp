// Layers beside A: their places in the document, and what of them follows A.
#include "core/compare/compare_edit.h"

#include <algorithm>
#include <iterator>

#include "core/attention/layer_fields.h"
#include "core/attention/pipeline.h"
#include "core/compare/compare_graph.h"
#include "core/error.h"

namespace attn {
namespace {

bool is_of(const StageOverride& typed, const VariantPlace& place) {
  return typed.workspace == kCompareName && typed.stage.starts_with(place.prefix);
}

template <class Field>
constexpr bool is_matrix(const Field&) {
  return std::is_same_v<Field, TensorField> || std::is_same_v<Field, LabelsField>;
}

// `beside` with what it had as A had it.
LayerSpec followed(const LayerSpec& before, const LayerSpec& after, const LayerSpec& was, LayerSpec beside) {
  visit_fields(of<LayerSpec>, [&](const auto&, auto member) {
    const bool shared = was.*member == before.*member, left_alone = beside.*member == was.*member;
    if (shared && left_alone && !(before.*member == after.*member)) beside.*member = after.*member;
  });
  if (is_whole(beside) || !is_whole(after)) return beside;
  LayerSpec choices = after;
  visit_fields(of<LayerSpec>, [&](const auto& field, auto member) {
    if (!is_matrix(field) && !(was.*member == before.*member)) choices.*member = beside.*member;
  });
  return is_whole(choices) ? choices : after;
}

std::string name_of(const FieldText& text) {
  return std::string(text.title.empty() ? text.key : text.title);
}
std::string name_of(const TensorField& field) {
  return std::string(field.symbol);
}
std::string name_of(const auto& field) {
  return name_of(text_of(field));
}

template <class Value>
bool is_used(const Value& value, const Value& usual) {
  return !(value == usual);
}
bool is_used(const Tensor& value, const Tensor&) {
  return !value.empty();
}

void forget_unused(Document& document) {
  for (std::size_t i = document.compare.variants; i < kMostVariants; ++i) {
    document.*kVariants[i].layer = {};
    std::erase_if(document.overrides, [&](const StageOverride& o) { return is_of(o, kVariants[i]); });
  }
  auto& by_reference = document.compare.by_reference;
  std::erase_if(by_reference, [&](std::size_t place) { return place >= document.compare.variants; });
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

std::size_t shown_variant(const CompareSpec& spec) {
  return std::min(spec.shown, std::max<std::size_t>(1, spec.variants) - 1);
}

const LayerSpec& variant(const Document& document, std::size_t place) {
  return place < document.compare.variants ? document.*kVariants[place].layer : document.layer;
}

bool is_beside(const CompareSpec& spec, LayerSpec Document::*part) {
  for (std::size_t i = 0; i < spec.variants; ++i)
    if (kVariants.at(i).layer == part) return true;
  return false;
}

bool is_by_reference(const CompareSpec& spec, std::size_t place) {
  return std::ranges::binary_search(spec.by_reference, place);
}

void set_by_reference(CompareSpec& spec, std::size_t place, bool on) {
  std::erase(spec.by_reference, place);
  if (on) spec.by_reference.insert(std::ranges::lower_bound(spec.by_reference, place), place);
}

TypedLayer layer_a(const Document& document) {
  return {document.layer, overrides_of(document, kPipelinePlan)};
}

TypedLayer layer_beside(const Document& document, std::size_t place) {
  if (place >= document.compare.variants) return layer_a(document);
  TypedLayer layer{document.*kVariants[place].layer};
  for (StageOverride typed : document.overrides) {
    if (!is_of(typed, kVariants[place])) continue;
    typed.workspace = kPipelinePlan.name;
    typed.stage.erase(0, kVariants[place].prefix.size());
    layer.typed.push_back(std::move(typed));
  }
  return layer;
}

void put_a(Document& document, const TypedLayer& layer) {
  document.layer = layer.layer;
  if (overrides_of(document, kPipelinePlan) == layer.typed) return;
  std::erase_if(document.overrides, [](const StageOverride& o) { return o.workspace == kPipelinePlan.name; });
  std::ranges::copy(layer.typed, std::back_inserter(document.overrides));
}

void put_beside(Document& document, std::size_t place, const TypedLayer& layer) {
  while (document.compare.variants < place)
    put_beside(document, document.compare.variants, layer_a(document));
  document.compare.variants = std::max(document.compare.variants, place + 1);
  const VariantPlace& there = kVariants[place];
  document.*there.layer = layer.layer;
  if (layer_beside(document, place).typed == layer.typed) return;
  std::erase_if(document.overrides, [&](const StageOverride& o) { return is_of(o, there); });
  for (const StageOverride& typed : layer.typed)
    document.overrides.push_back(
        {std::string(kCompareName), std::string(there.prefix) + typed.stage, typed.value});
}

bool begin_beside(Document& document, std::string_view stage) {
  const std::size_t place = shown_variant(document.compare);
  if (place < document.compare.variants || !stage.starts_with(kVariants[place].prefix)) return false;
  put_beside(document, place, layer_a(document));
  return true;
}

void swap_with_a(Document& document) {
  const std::size_t place = shown_variant(document.compare);
  const TypedLayer a = layer_a(document), b = layer_beside(document, place);
  put_beside(document, place, a);
  put_a(document, b);
}

void copy_a(Document& document) {
  const std::size_t place = shown_variant(document.compare);
  put_beside(document, place, layer_a(document));
  set_by_reference(document.compare, place, false);
}

void add_variant(Document& document) {
  CompareSpec& spec = document.compare;
  if (spec.variants >= kMostVariants)
    throw Error("four layers are compared at most: remove one of them first", Fault::option);
  put_beside(document, std::max<std::size_t>(1, spec.variants), layer_a(document));
  spec.shown = spec.variants - 1;
}

void remove_variant(Document& document) {
  CompareSpec& spec = document.compare;
  const std::size_t place = shown_variant(spec);
  if (place >= spec.variants) return;
  for (std::size_t next = place + 1; next < spec.variants; ++next) {
    put_beside(document, next - 1, layer_beside(document, next));
    set_by_reference(spec, next - 1, is_by_reference(spec, next));
  }
  --spec.variants;
  forget_unused(document);
  spec.shown = shown_variant(spec);
}

void follow(const Document& before, Document& after) {
  const TypedLayer a = layer_a(before), now = layer_a(after);
  if (a == now) return;
  for (std::size_t i = 0; i < std::min(before.compare.variants, after.compare.variants); ++i) {
    const TypedLayer was = layer_beside(before, i);
    TypedLayer beside = layer_beside(after, i);
    // Swapped, or edited as a whole: nothing is left to follow.
    if (beside.layer == a.layer && !(was.layer == a.layer)) continue;
    beside.layer = followed(a.layer, now.layer, was.layer, beside.layer);
    if (was.typed == a.typed && beside.typed == was.typed) beside.typed = now.typed;
    put_beside(after, i, beside);
  }
}

std::vector<std::string> differences_from_a(const Document& document, std::size_t place) {
  std::vector<std::string> words = change_words(document.layer, variant(document, place));
  if (is_by_reference(document.compare, place)) words.emplace_back("computed by the reference");
  if (layer_beside(document, place).typed != layer_a(document).typed) words.emplace_back("typed numbers");
  return words;
}

std::vector<std::string> shared_fields(const LayerSpec& a, const LayerSpec& b) {
  std::vector<std::string> names;
  const LayerSpec usual;
  visit_fields(of<LayerSpec>, [&](const auto& field, auto member) {
    if (a.*member == b.*member && is_used(a.*member, usual.*member)) names.push_back(name_of(field));
  });
  return names;
}

}  // namespace attn
