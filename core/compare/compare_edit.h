// The layers beside the Pipeline's as one edits them: copied, swapped, and following what A and B share.
#pragma once

#include <string>
#include <vector>

#include "core/document.h"

namespace attn {

// Which of them stands beside A: B where there is none yet.
Address shown_beside(const Document& document);
void show_beside(Document& document, Address address);
// The layer, or A where there is none yet.
const LayerSpec& layer_or_a(const Document& document, Address address);
bool is_by_reference(const CompareSpec& spec, Address address);
void set_by_reference(CompareSpec& spec, Address address, bool on);

// Whether its parts fit together: it can be computed.
bool is_whole(const LayerSpec& layer);

// A layer with what is typed over its numbers, as the Pipeline names them.
struct TypedLayer {
  LayerSpec layer;
  std::vector<StageOverride> typed = {};
  bool operator==(const TypedLayer&) const = default;
};
// Of A where the layer is not there yet.
TypedLayer typed_layer(const Document& document, Address address = kLayerA);
// In its place; layers before it that were not there become copies of A.
void put_layer(Document& document, const TypedLayer& layer, Address address = kLayerA);

// As edits. The layer that is shown beside A becomes A and A it; it becomes a copy of A; another copy of A is
// added and shown, where there is room; it goes, and the next takes its place.
void swap_with_a(Document& document);
void copy_a(Document& document);
void add_layer(Document& document);  // throws Error when there are as many as kAddresses
void remove_layer(Document& document);

// What A and a layer beside it share stays shared: what an edit changed of A, and what a layer had as A had
// it before and the edit left alone, it has as A has it now. A layer whose own matrices fit no more keeps its
// choices, and where these do not fit either it becomes a copy of A.
void follow(const Document& before, Document& after);

// What `b` has that `a` has not, in the words of undo steps ("temperature 3"), in the order of sessions; see
// core/describe.cpp.
std::vector<std::string> change_words(const LayerSpec& a, const LayerSpec& b);
// The same for A and another layer, with what is typed over its numbers and who computes it.
std::vector<std::string> differences_from_a(const Document& document, Address address);
// Titles of the fields that are used and equal.
std::vector<std::string> shared_fields(const LayerSpec& a, const LayerSpec& b);

}  // namespace attn
