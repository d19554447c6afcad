// The layers beside the Pipeline's as one edits them: copied, swapped, and following what A and B share.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/document.h"

namespace attn {

struct VariantPlace {
  std::string_view name, key, prefix;  // "B"; of the document's part; of its stages' ids
  LayerSpec Document::*layer;
};
inline constexpr std::array<VariantPlace, kMostVariants> kVariants{
    {{"B", "b", "b.", &Document::b}, {"C", "c", "c.", &Document::c}, {"D", "d", "d.", &Document::d}}};

// Which of them stands beside A.
std::size_t shown_variant(const CompareSpec& spec);
// The layer of that place; A where there is none yet.
const LayerSpec& variant(const Document& document, std::size_t place);
// Whether a part of the document is one of the layers beside A that there are.
bool is_beside(const CompareSpec& spec, LayerSpec Document::*part);
bool is_by_reference(const CompareSpec& spec, std::size_t place);
void set_by_reference(CompareSpec& spec, std::size_t place, bool on);

// Whether its parts fit together: it can be computed.
bool is_whole(const LayerSpec& layer);

// A layer with what is typed over its numbers, as the Pipeline names them.
struct TypedLayer {
  LayerSpec layer;
  std::vector<StageOverride> typed = {};
  bool operator==(const TypedLayer&) const = default;
};
TypedLayer layer_a(const Document& document);
TypedLayer layer_beside(const Document& document, std::size_t place);
// In its place. One that there was not yet is the next, and places before it are copies of A.
void put_a(Document& document, const TypedLayer& layer);
void put_beside(Document& document, std::size_t place, const TypedLayer& layer);

// Before a number of that stage is set: the layer beside A is no longer A itself where the stage is of that
// layer. Whether it was until now.
bool begin_beside(Document& document, std::string_view stage);

// As edits. The layer that is shown beside A becomes A and A it; it becomes a copy of A; another copy of A is
// added and shown, where there is room; it goes, and the next takes its place.
void swap_with_a(Document& document);
void copy_a(Document& document);
void add_variant(Document& document);  // throws Error when there are kMostVariants
void remove_variant(Document& document);

// What A and a layer beside it share stays shared: what an edit changed of A, and what a layer had as A had
// it before and the edit left alone, it has as A has it now. A layer whose own matrices fit no more keeps its
// choices, and where these do not fit either it becomes a copy of A.
void follow(const Document& before, Document& after);

// What `b` has that `a` has not, in the words of undo steps ("temperature 3"), in the order of sessions; see
// core/describe.cpp.
std::vector<std::string> change_words(const LayerSpec& a, const LayerSpec& b);
// The same for the layer of a place and A, with what is typed over its numbers and who computes it.
std::vector<std::string> differences_from_a(const Document& document, std::size_t place);
// Titles of the fields that are used and equal.
std::vector<std::string> shared_fields(const LayerSpec& a, const LayerSpec& b);

}  // namespace attn
