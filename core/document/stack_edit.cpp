// Edits of the document's stack.
#include "core/document/stack_edit.h"

#include <algorithm>

#include "core/document/stack_plan.h"
#include "core/graph/limits.h"
#include "core/system/error.h"
#include "core/tensor/random.h"
#include "core/text/text.h"
#include "core/transformer/made.h"

namespace attn {
namespace {

Tensor drawn_matrix(std::size_t rows, std::size_t columns, std::uint64_t seed) {
  std::vector<float> values(rows * columns);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = random_normal(seed, i);
  return {{1, rows, columns}, std::move(values)};
}

// What is shown, where it can become the document's.
StackSpec editable(const Document& document) {
  StackSpec stack = shown_stack(document);
  if (document.transformer.empty() && token_count(stack.encoder) == 0)
    throw Error("there are no tokens to make a stack over: give the layer an X", Fault::option);
  return stack;
}

void redraw(Document& document, const StackSpec& changed, const StackSizes& sizes) {
  StackSpec made = made_stack(changed, sizes, changed.seed);
  document.transformer = std::move(made);
}

// A gain, and a bias where its kind has one, for each box. What stands nowhere now keeps its numbers, and has
// them when it comes back; so do biases under RMSNorm, which has none.
void remake_norms(StackSpec& stack) {
  if (stack.norm_at == NormAt::none) return;
  const auto row = [&](float value) {
    return Tensor({1, 1, width_of(stack)}, std::vector<float>(width_of(stack), value));
  };
  const NormWeights fresh =
      stack.norm_kind == NormKind::layer ? NormWeights{row(1), row(0)} : NormWeights{row(1), {}};
  for (StackSide* side : {&stack.encoder, &stack.decoder}) {
    for (StackBlock& block : side->blocks) {
      const std::size_t boxes =
          1 + std::size_t{block.has(StackBox::cross)} + std::size_t{block.has(StackBox::feed_forward)};
      for (std::size_t i = 0; i < block.norms.size(); ++i) {
        NormWeights& norm = block.norms[i];
        if (i >= boxes)
          norm = {};
        else if (norm.gain.empty())
          norm = fresh;
        else if (norm.bias.empty())
          norm.bias = fresh.bias;
      }
    }
    if (side->normed && !side->norm.gain.empty() && side->norm.bias.empty()) side->norm.bias = fresh.bias;
  }
}

void check_heads(std::size_t width, std::size_t heads) {
  if (heads == 0 || width % heads != 0)
    throw Error(std::to_string(heads) + " heads don't divide d = " + std::to_string(width) + ": " +
                    nearest_heads(width, heads),
                Fault::option);
}

// RoPE turns pairs of a head's features.
void settle_position(StackSpec& stack, std::size_t heads) {
  stack.position = repaired(stack.position, width_of(stack) / heads).value_or(stack.position);
}

void set_heads(LayerSpec& layer, std::size_t heads) {
  layer.heads = layer.kv_heads = heads;
  std::erase_if(layer.muted_heads, [&](std::size_t muted) { return muted >= heads; });
}

// Every matrix that is as wide as the stream and is not drawn with the layers.
std::vector<Tensor*> rows_of_stream(StackSpec& stack) {
  return {&stack.encoder.x, &stack.decoder.x, &stack.memory, &stack.embedding, &stack.position_table};
}

// Before anything of that width is drawn.
void check_width(StackSpec& stack, std::size_t width, const StackSizes& sizes) {
  std::size_t rows = stack.head.columns() + sizes.layers * sizes.inner;
  for (const Tensor* tensor : rows_of_stream(stack)) rows += tensor->rows();
  check_number_count(width);
  check_number_count(width * (rows + 4 * width * sizes.layers));
}

}  // namespace

StackSpec& own_stack(Document& document) {
  if (document.transformer.empty()) document.transformer = editable(document);
  return document.transformer;
}

PairCounts pair_counts(const Document& document, Address address) {
  if (address.home == LayerHome::layers) {
    const LayerSpec& layer = document.layer(address);
    return {query_count(layer), key_count(layer)};
  }
  const StackSpec& stack = document.transformer;
  const std::size_t encoded = token_count(stack.encoder), decoded = token_count(stack.decoder);
  if (address.home == LayerHome::encoder) return {encoded, encoded};
  if (address.home == LayerHome::decoder) return {decoded, decoded};
  return {decoded, stack.has_encoder() ? encoded : stack.memory.rows()};
}

FeedForward feed_forward_of(const StackSpec& stack) {
  const StackSide& side = stack.has_encoder() ? stack.encoder : stack.decoder;
  if (side.blocks.empty() || !side.blocks.front().has(StackBox::feed_forward)) return FeedForward::none;
  if (stack.swiglu) return FeedForward::swiglu;
  switch (stack.activation) {
    case ActivationKind::relu:
      return FeedForward::relu;
    case ActivationKind::gelu:
      return FeedForward::gelu;
    case ActivationKind::gelu_tanh:
      return FeedForward::gelu_tanh;
    case ActivationKind::silu:
      break;
  }
  return FeedForward::silu;
}

void set_stack_sides(Document& document, StackSides sides) {
  StackSpec stack = editable(document);
  if (stack.sides == sides) return;
  StackSizes sizes = sizes_of(stack);
  const StackSide& from = stack.has_encoder() ? stack.encoder : stack.decoder;
  const bool normed = from.normed;
  stack.sides = sides;
  const auto settle = [&](StackSide& side, bool has) {
    side.blocks.clear();
    side.norm = {};
    if (!has) return;
    if (side.x.empty() && side.ids.empty()) side.x = from.x, side.ids = from.ids, side.tokens = from.tokens;
    side.normed = normed;
  };
  settle(stack.encoder, stack.has_encoder());
  settle(stack.decoder, stack.has_decoder());
  redraw(document, stack, sizes);
}

void set_stack_layers(Document& document, std::size_t layers) {
  const StackSpec stack = editable(document);
  StackSizes sizes = sizes_of(stack);
  if (sizes.layers == layers) return;
  sizes.layers = layers;
  redraw(document, stack, sizes);
}

void set_stack_heads(Document& document, std::size_t heads) {
  const StackSpec stack = editable(document);
  check_heads(width_of(stack), heads);
  StackSpec& own = own_stack(document);
  for (StackSide* side : {&own.encoder, &own.decoder})
    for (StackBlock& block : side->blocks) {
      set_heads(block.attention, heads);
      if (block.cross) set_heads(*block.cross, heads);
    }
  settle_position(own, heads);
}

void set_stack_width(Document& document, std::size_t width) {
  StackSpec stack = editable(document);
  if (width == width_of(stack)) return;
  StackSizes sizes = sizes_of(stack);
  if (width == 0 || width % sizes.heads != 0)
    throw Error(std::to_string(sizes.heads) + " heads don't divide d = " + std::to_string(width) + ": use " +
                    std::to_string((width / sizes.heads + 1) * sizes.heads),
                Fault::option);
  const std::size_t before = width_of(stack);
  check_width(stack, width, sizes);
  std::uint64_t seed = stack.seed;
  for (Tensor* tensor : rows_of_stream(stack))
    if (!tensor->empty()) *tensor = drawn_matrix(tensor->rows(), width, seed++);
  if (!stack.head.empty()) stack.head = drawn_matrix(width, stack.head.columns(), seed);
  settle_position(stack, sizes.heads);
  if (sizes.inner > 0) sizes.inner = std::max<std::size_t>(1, sizes.inner * width / before);
  redraw(document, stack, sizes);
}

void set_stack_inner(Document& document, std::size_t inner) {
  const StackSpec stack = editable(document);
  StackSizes sizes = sizes_of(stack);
  if (sizes.inner == inner) return;
  check_number_count(inner);
  sizes.inner = inner;
  redraw(document, stack, sizes);
}

void set_feed_forward(Document& document, FeedForward kind) {
  if (feed_forward_of(editable(document)) == kind) return;
  StackSpec stack = editable(document);
  const bool was = stack.swiglu;
  StackSizes sizes = sizes_of(stack);
  stack.swiglu = kind == FeedForward::swiglu;
  if (kind == FeedForward::relu) stack.activation = ActivationKind::relu;
  if (kind == FeedForward::gelu) stack.activation = ActivationKind::gelu;
  if (kind == FeedForward::gelu_tanh) stack.activation = ActivationKind::gelu_tanh;
  if (kind == FeedForward::silu) stack.activation = ActivationKind::silu;
  const bool reshapes = kind == FeedForward::none || sizes.inner == 0 || was != stack.swiglu;
  if (kind == FeedForward::none) sizes.inner = 0;
  if (kind != FeedForward::none && sizes.inner == 0) sizes.inner = 4 * width_of(stack);
  if (reshapes)
    redraw(document, stack, sizes);
  else
    document.transformer = std::move(stack);
}

void set_tied(Document& document, bool tied) {
  if (editable(document).embedding.empty())
    throw Error("the stack has no embedding that its logits could be tied to", Fault::option);
  StackSpec& stack = own_stack(document);
  stack.tied = tied;
  const Tensor begins = transposed(stack.embedding);
  if (tied && stack.head == begins) stack.head = {};  // nobody has edited it
  if (!tied && stack.head.empty()) stack.head = begins;
}

void set_norm_at(Document& document, NormAt at) {
  StackSpec& stack = own_stack(document);
  stack.norm_at = at;
  remake_norms(stack);
}

void set_norm_kind(Document& document, NormKind kind) {
  StackSpec& stack = own_stack(document);
  stack.norm_kind = kind;
  remake_norms(stack);
}

void set_stack_seed(Document& document, std::uint64_t seed) {
  StackSpec stack = editable(document);
  stack.seed = seed;
  redraw(document, stack, sizes_of(stack));
}

void switch_stack_box(Document& document, bool decoder, std::size_t block, StackBox box) {
  const StackSpec shown = editable(document);
  const auto& blocks = (decoder ? shown.decoder : shown.encoder).blocks;
  if (block >= blocks.size() || !blocks[block].has(box))
    throw Error("layer " + std::to_string(block) + " of the " + (decoder ? "decoder" : "encoder") +
                    " has no such box: nothing was changed",
                Fault::option);
  StackSpec& stack = own_stack(document);
  std::vector<std::size_t>& off = (decoder ? stack.decoder : stack.encoder).blocks[block].off;
  const auto number = static_cast<std::size_t>(box);
  const auto found = std::ranges::find(off, number);
  if (found != off.end())
    off.erase(found);
  else
    off.insert(std::ranges::upper_bound(off, number), number);
}

}  // namespace attn
