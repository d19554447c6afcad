// What a step of decoding takes.
#include "core/stack/decoding_cost.h"

namespace attn {
namespace {

constexpr double kBytes = sizeof(float), kMultiplyAdd = 2;

double numbers(const Tensor& tensor) {
  return static_cast<double>(tensor.shape().size());
}

// Of the keys and values of one token.
double key_numbers(const LayerSpec& layer) {
  return static_cast<double>(layer.w_k.columns() + layer.w_v.columns());
}

// Multiply-adds of one query with one key: the score, and the value with its weight.
double pair_numbers(const LayerSpec& layer) {
  const auto heads = static_cast<double>(layer.heads);
  const auto value = static_cast<double>(layer.w_v.columns()) / static_cast<double>(layer.kv_heads);
  return static_cast<double>(layer.w_q.columns()) + heads * value;
}

std::size_t memory_tokens(const StackSpec& stack) {
  if (stack.has_encoder()) return token_count(stack.encoder);
  return stack.memory.rows();
}

void count_cross(const StackSpec& stack, const LayerSpec& layer, DecodingCost& cost) {
  const auto tokens = static_cast<double>(memory_tokens(stack));
  const double made = numbers(layer.w_k) + numbers(layer.w_v);
  cost.row += kMultiplyAdd * (numbers(layer.w_q) + numbers(layer.w_o));
  cost.weights += kBytes * (numbers(layer.w_q) + numbers(layer.w_o));
  cost.cross += kMultiplyAdd * pair_numbers(layer) * tokens;
  cost.memory += {kMultiplyAdd * made * tokens, kBytes * (made + key_numbers(layer) * tokens)};
  cost.kept_cross += kBytes * key_numbers(layer) * tokens;
}

void count_block(const StackSpec& stack, const StackBlock& block, DecodingCost& cost) {
  if (!block.is_off(StackBox::attention)) {
    const LayerSpec& layer = block.attention;
    const double made = numbers(layer.w_q) + numbers(layer.w_k) + numbers(layer.w_v) + numbers(layer.w_o);
    cost.row += kMultiplyAdd * made, cost.weights += kBytes * made;
    cost.pair += kMultiplyAdd * pair_numbers(layer);
    cost.kept += kBytes * key_numbers(layer);
  }
  if (block.cross && !block.is_off(StackBox::cross)) count_cross(stack, *block.cross, cost);
  if (block.has(StackBox::feed_forward) && !block.is_off(StackBox::feed_forward)) {
    const double made = numbers(block.inner.w) + numbers(block.gate.w) + numbers(block.outer.w);
    cost.row += kMultiplyAdd * made, cost.weights += kBytes * made;
  }
}

}  // namespace

DecodingCost::DecodingCost(const StackSpec& stack) {
  for (const StackBlock& block : stack.decoder.blocks) count_block(stack, block, *this);
  const double head = numbers(stack.tied && !stack.embedding.empty() ? stack.embedding : stack.head);
  row += kMultiplyAdd * head, weights += kBytes * head;
}

DecodingAmount DecodingCost::cached(std::size_t place) const {
  const auto tokens = static_cast<double>(place + 1);
  return {row + pair * tokens + cross, weights + kept * (tokens + 1) + kept_cross};
}

DecodingAmount DecodingCost::recomputed(std::size_t place) const {
  const auto tokens = static_cast<double>(place + 1);
  return {tokens * (row + pair * tokens + cross) + memory.operations,
          weights + 2 * kept * tokens + memory.bytes + kept_cross};
}

DecodingAmount DecodingCost::cached_so_far(std::size_t place) const {
  const double n = static_cast<double>(place + 1), tokens = n * (n + 1) / 2;  // 1 + … + n
  return {memory.operations + n * (row + cross) + pair * tokens,
          memory.bytes + n * (weights + kept + kept_cross) + kept * tokens};
}

DecodingAmount DecodingCost::recomputed_so_far(std::size_t place) const {
  const double n = static_cast<double>(place + 1), tokens = n * (n + 1) / 2,
               squares = tokens * (2 * n + 1) / 3;  // 1² + … + n²
  return {tokens * (row + cross) + pair * squares + n * memory.operations,
          n * (weights + memory.bytes + kept_cross) + 2 * kept * tokens};
}

}  // namespace attn
