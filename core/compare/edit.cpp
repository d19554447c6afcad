// Compared layers: their places in the document, and what of them follows A.
#include "core/compare/edit.h"

#include <algorithm>

#include "core/attention/layer_fields.h"
#include "core/document/edit.h"
#include "core/document/history.h"
#include "core/document/layer_plan.h"
#include "core/system/error.h"

namespace attn {
namespace {

// Of a layer's place among those behind A.
std::size_t place_of(Address address) {
  return address.layer - 1;
}

}  // namespace

Address compared_address(const Document& document) {
  return {std::min(document.compare.shown + 1, std::max<std::size_t>(2, document.layers.size()) - 1)};
}

void show_compared(Document& document, Address address) {
  document.compare.shown = place_of(address);
}

LayerSpec compared_layer(const Document& document, Address address) {
  return document.has(address) ? document.layer(address) : default_compared_layer(document.layer());
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
  const Address compared = compared_address(document);
  const TypedLayer a = typed_layer(document), b = typed_layer(document, compared);
  put_layer(document, a, compared);
  put_layer(document, b);
}

void copy_a(Document& document) {
  const Address compared = compared_address(document);
  put_layer(document, typed_layer(document), compared);
  set_by_reference(document.compare, compared, false);
}

void add_layer(Document& document) {
  if (document.layers.size() >= kAddresses.size())
    throw Error("four layers are compared at most: remove one of them first", Fault::option);
  begin_layer(document, {std::max<std::size_t>(2, document.layers.size())});
  show_compared(document, {document.layers.size() - 1});
}

void remove_layer(Document& document) {
  Address gone = compared_address(document);
  if (!document.has(gone)) return;
  CompareSpec& spec = document.compare;
  for (Address next{gone.layer + 1}; document.has(next); gone = next, ++next.layer) {
    put_layer(document, typed_layer(document, next), gone);
    set_by_reference(spec, gone, is_by_reference(spec, next));
  }
  set_by_reference(spec, gone, false);
  document.layers.pop_back();
  std::erase_if(document.overrides, [&](const StageOverride& o) { return o.layer == gone; });
  show_compared(document, compared_address(document));
}

std::vector<LayerDifference> differences_from_a(const Document& document, Address address) {
  const LayerSpec a = document.layer(), b = compared_layer(document, address);
  const std::vector<std::string> of_a = change_words(b, a), of_b = change_words(a, b);
  std::vector<LayerDifference> all;
  for (std::size_t i = 0; i < of_b.size(); ++i) all.push_back({of_a[i], of_b[i]});
  for (LayerDifference& one : all)  // what has no mask has none, whichever it is that went
    for (auto [words, layer] : {std::pair(&one.a, &a), std::pair(&one.b, &b)})
      if (words->ends_with(" mask off") && layer->masks.empty()) *words = "no mask";
  if (is_by_reference(document.compare, address))
    all.push_back({"computed by the device", "computed by the reference"});
  if (const auto typed = typed_layer(document, address).typed; typed != typed_layer(document).typed)
    all.push_back({typed_layer(document).typed.empty() ? "as computed" : "typed numbers",
                   typed.empty() ? "as computed" : "typed numbers"});
  return all;
}

void take_back_difference(Document& document, Address address, std::size_t which) {
  Document changed = document;
  begin_layer(changed, address);
  const LayerSpec& a = changed.layer();
  LayerSpec& b = changed.layer(address);
  std::size_t place = 0;
  bool found = false;
  visit_fields(of<LayerSpec>, [&](const auto&, auto member) {
    if (a.*member == b.*member || place++ != which) return;
    b.*member = a.*member;
    found = true;
  });
  if (!found && is_by_reference(changed.compare, address) && place++ == which)
    set_by_reference(changed.compare, address, false);
  else if (!found)
    put_layer(changed, {b, typed_layer(changed).typed}, address);
  build_graph(b);
  document = std::move(changed);
}

}  // namespace attn
