// Layers beside A: their places in the document, and what of them follows A.
#include "core/compare/edit.h"

#include <algorithm>

#include "core/attention/layer_fields.h"
#include "core/document/edit.h"
#include "core/document/history.h"
#include "core/document/layer_plan.h"
#include "core/system/error.h"

namespace attn {
namespace {

std::string name_of(const FieldText& text) {
  return std::string(text.title.empty() ? text.key : text.title);
}
std::string name_of(const TensorField& field) {
  return std::string(field.symbol);
}
std::string name_of(const auto& field) {
  if constexpr (requires { field.on; }) return std::string(field.on);  // off is usual
  return name_of(text_of(field));
}

template <class Value>
bool is_used(const Value& value, const Value& usual) {
  return !(value == usual);
}
bool is_used(const Tensor& value, const Tensor&) {
  return !value.empty();
}

// Of a layer's place among those behind A.
std::size_t place_of(Address address) {
  return address.layer - 1;
}

}  // namespace

Address shown_beside(const Document& document) {
  return {std::min(document.compare.shown + 1, std::max<std::size_t>(2, document.layers.size()) - 1)};
}

void show_beside(Document& document, Address address) {
  document.compare.shown = place_of(address);
}

const LayerSpec& layer_or_a(const Document& document, Address address) {
  return document.layer(document.has(address) ? address : kLayerA);
}

bool is_by_reference(const CompareSpec& spec, Address address) {
  return std::ranges::binary_search(spec.by_reference, place_of(address));
}

void set_by_reference(CompareSpec& spec, Address address, bool on) {
  const std::size_t place = place_of(address);
  std::erase(spec.by_reference, place);
  if (on) spec.by_reference.insert(std::ranges::lower_bound(spec.by_reference, place), place);
}

void swap_with_a(Document& document) {
  const Address beside = shown_beside(document);
  const TypedLayer a = typed_layer(document), b = typed_layer(document, beside);
  put_layer(document, a, beside);
  put_layer(document, b);
}

void copy_a(Document& document) {
  const Address beside = shown_beside(document);
  put_layer(document, typed_layer(document), beside);
  set_by_reference(document.compare, beside, false);
}

void add_layer(Document& document) {
  if (document.layers.size() >= kAddresses.size())
    throw Error("four layers are compared at most: remove one of them first", Fault::option);
  begin_layer(document, {std::max<std::size_t>(2, document.layers.size())});
  show_beside(document, {document.layers.size() - 1});
}

void remove_layer(Document& document) {
  Address gone = shown_beside(document);
  if (!document.has(gone)) return;
  CompareSpec& spec = document.compare;
  for (Address next{gone.layer + 1}; document.has(next); gone = next, ++next.layer) {
    put_layer(document, typed_layer(document, next), gone);
    set_by_reference(spec, gone, is_by_reference(spec, next));
  }
  set_by_reference(spec, gone, false);
  document.layers.pop_back();
  std::erase_if(document.overrides, [&](const StageOverride& o) { return o.layer == gone; });
  show_beside(document, shown_beside(document));
}

std::vector<std::string> differences_from_a(const Document& document, Address address) {
  std::vector<std::string> words = change_words(document.layer(), layer_or_a(document, address));
  if (is_by_reference(document.compare, address)) words.emplace_back("computed by the reference");
  if (typed_layer(document, address).typed != typed_layer(document).typed)
    words.emplace_back("typed numbers");
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
