// The layers compared with A, as one edits them: copied, swapped, added and removed.
#pragma once

#include <string>
#include <vector>

#include "core/edits/compared_layers.h"

namespace attn {

// Which of them is shown next to A: B where there is none yet.
Address compared_address(const Document& document);
void show_compared(Document& document, Address address);
// The layer, or what it begins as where there is none yet.
LayerSpec compared_layer(const Document& document, Address address);
bool is_by_reference(const CompareSpec& spec, Address address);
void set_by_reference(CompareSpec& spec, Address address, bool on);

// As edits. The shown layer becomes A and A it; it becomes a copy of A; another is begun
// and shown, where there is room; it goes, and the next takes its place.
void swap_with_a(Document& document);
void copy_a(Document& document);
void add_layer(Document& document);  // throws Error when there are as many as kAddresses
void remove_layer(Document& document);

// Something that a compared layer has other than A: "no mask" and "causal mask".
struct LayerDifference {
  std::string a, b;
};
// All of them, with what is typed over the numbers and who computes them.
std::vector<LayerDifference> differences_from_a(const Document& document, Address address);
// Gives the layer what A has in place of one of them. Throws Error where the others do not fit without it.
void take_back_difference(Document& document, Address address, std::size_t which);

}  // namespace attn
