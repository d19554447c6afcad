// The names of a document's layers.
#include "core/graph/address.h"

#include <cassert>
#include <vector>

namespace attn {
namespace {

struct StackText {
  std::string name, key, prefix;
  AddressText view;
};

// Of each home but the first, one behind the other.
std::vector<StackText> stack_texts() {
  std::vector<StackText> texts((kLayerHomes - 1) * kMostBlocks);
  for (std::size_t home = 1; home < kLayerHomes; ++home)
    for (std::size_t layer = 0; layer < kMostBlocks; ++layer) {
      const std::string number = std::to_string(layer);
      const bool cross = static_cast<LayerHome>(home) == LayerHome::cross;
      const std::string side = static_cast<LayerHome>(home) == LayerHome::encoder ? "encoder" : "decoder";
      StackText& text = texts[(home - 1) * kMostBlocks + layer];
      text.name = side + ", layer " + number + (cross ? ", cross-attention" : "");
      text.key = "stack." + side + "." + number + (cross ? ".cross" : ".attention");
      text.prefix = side + "." + number + "." + (cross ? "cross_" : "");
      text.view = {text.name, text.key, text.prefix};
    }
  return texts;
}

}  // namespace

const AddressText& text_of(Address address) {
  if (address.home == LayerHome::layers) return kAddresses[address.layer];
  static const std::vector<StackText> kTexts = stack_texts();
  assert(address.layer < kMostBlocks);
  return kTexts[(static_cast<std::size_t>(address.home) - 1) * kMostBlocks + address.layer].view;
}

}  // namespace attn
