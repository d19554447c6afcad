// Address: which of a document's layers is meant.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace attn {

struct Address {
  std::size_t layer = 0;  // in Document::layers
  auto operator<=>(const Address&) const = default;
};

struct AddressText {
  std::string_view name;    // for a person: "B"
  std::string_view key;     // in session files, and before the names of its fields: "b"
  std::string_view prefix;  // of its stages' ids in a graph that has A as well: "b."
};

// Layers that a document can have. A is the Pipeline's.
inline constexpr std::array<AddressText, 4> kAddresses{
    {{"A", "layer", ""}, {"B", "b", "b."}, {"C", "c", "c."}, {"D", "d", "d."}}};
inline constexpr Address kLayerA{0}, kLayerB{1};

constexpr const AddressText& text_of(Address address) {
  return kAddresses[address.layer];
}

// The name of one of the layer's fields: "b.w_q".
inline std::string field_of(Address address, std::string_view key) {
  return std::string(text_of(address).key) + "." + std::string(key);
}

}  // namespace attn
