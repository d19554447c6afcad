// The layers beside A as one edits them: copied, swapped, added and removed.
#pragma once

#include <string>
#include <vector>

#include "core/edits/beside.h"

namespace attn {

// Which of them stands beside A: B where there is none yet.
Address shown_beside(const Document& document);
void show_beside(Document& document, Address address);
// The layer, or A where there is none yet.
const LayerSpec& layer_or_a(const Document& document, Address address);
bool is_by_reference(const CompareSpec& spec, Address address);
void set_by_reference(CompareSpec& spec, Address address, bool on);

// As edits. The layer that is shown beside A becomes A and A it; it becomes a copy of A; another copy of A is
// added and shown, where there is room; it goes, and the next takes its place.
void swap_with_a(Document& document);
void copy_a(Document& document);
void add_layer(Document& document);  // throws Error when there are as many as kAddresses
void remove_layer(Document& document);

// What a layer has that A has not, in the words of undo steps, with what is typed over its numbers and who
// computes it.
std::vector<std::string> differences_from_a(const Document& document, Address address);
// Titles of the fields that are used and equal.
std::vector<std::string> shared_fields(const LayerSpec& a, const LayerSpec& b);

}  // namespace attn
