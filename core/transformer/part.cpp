// What a stack's parts are called, and which of its attentions an address means.
#include "core/transformer/part.h"

#include <algorithm>

namespace attn {

bool StackBlock::is_off(StackBox box) const {
  return std::ranges::find(off, static_cast<std::size_t>(box)) != off.end();
}

bool StackBlock::has(StackBox box) const {
  return box == StackBox::attention || (box == StackBox::cross ? cross.has_value() : !outer.w.empty());
}

std::size_t width_of(const StackSpec& stack) {
  if (!stack.embedding.empty()) return stack.embedding.columns();
  return (stack.has_decoder() ? stack.decoder : stack.encoder).x.columns();
}

std::size_t token_count(const StackSide& side) {
  return side.ids.empty() ? side.x.rows() : side.ids.rows();
}

bool same_blocks(const StackSpec& a, const StackSpec& b) {
  const auto same = [](const StackBlock& one, const StackBlock& other) {
    return one.cross.has_value() == other.cross.has_value();
  };
  return std::ranges::equal(a.encoder.blocks, b.encoder.blocks, same) &&
         std::ranges::equal(a.decoder.blocks, b.decoder.blocks, same);
}

Address address_of(bool decoder, std::size_t block, StackBox box) {
  return {block, box == StackBox::cross ? LayerHome::cross
                 : decoder              ? LayerHome::decoder
                                        : LayerHome::encoder};
}

const LayerSpec* layer_at(const StackSpec& stack, Address address) {
  const std::vector<StackBlock>& blocks =
      (address.home == LayerHome::encoder ? stack.encoder : stack.decoder).blocks;
  if (address.home == LayerHome::layers || address.layer >= blocks.size()) return nullptr;
  const StackBlock& block = blocks[address.layer];
  if (address.home != LayerHome::cross) return &block.attention;
  return block.cross ? &*block.cross : nullptr;
}

LayerSpec* layer_at(StackSpec& stack, Address address) {
  return const_cast<LayerSpec*>(layer_at(std::as_const(stack), address));
}

std::string part_key(bool decoder, std::string_view part) {
  return std::string("stack.") + (decoder ? "decoder" : "encoder") + (part.empty() ? "" : ".") +
         std::string(part);
}

std::string part_key(bool decoder, std::size_t block, std::string_view part) {
  return part_key(decoder, std::to_string(block)) + "." + std::string(part);
}

}  // namespace attn
