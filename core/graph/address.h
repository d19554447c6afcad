// Address: which of a document's layers is meant.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace attn {

// Where a document has layers: its own list, and the attentions of its stack.
enum class LayerHome { layers, encoder, decoder, cross };
inline constexpr std::size_t kLayerHomes = 4, kMostBlocks = 48;  // of a side of a stack

struct Address {
  std::size_t layer = 0;  // in Document::layers, or of a side of the stack
  LayerHome home = LayerHome::layers;
  auto operator<=>(const Address&) const = default;
};

struct AddressText {
  std::string_view name;    // for a person: "B"
  std::string_view key;     // in session files, and before the names of its fields: "b"
  std::string_view prefix;  // of its stages' ids in a graph that has A as well: "b."
};

// Layers that a document can have of its own. A is the Pipeline's.
inline constexpr std::array<AddressText, 4> kAddresses{
    {{"A", "layer", ""}, {"B", "b", "b."}, {"C", "c", "c."}, {"D", "d", "d."}}};
inline constexpr Address kLayerA{0}, kLayerB{1};

// Throws nothing, keeps its texts for ever: there are as many as kMostBlocks of each home.
const AddressText& text_of(Address address);

// The name of one of the layer's fields: "b.w_q", "stack.encoder.3.w_q".
inline std::string field_of(Address address, std::string_view key) {
  return std::string(text_of(address).key) + "." + std::string(key);
}

}  // namespace attn
