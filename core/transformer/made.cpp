// Weights drawn by a seed.
#include "core/transformer/made.h"

#include <algorithm>
#include <cmath>

#include "core/graph/limits.h"
#include "core/system/error.h"
#include "core/tensor/random.h"
#include "core/transformer/fields.h"

namespace attn {
namespace {

constexpr std::uint64_t kOverA = 7;  // the seed of a stack that nobody has made yet
constexpr std::size_t kUsualLayers = 4;
// What is made without being asked for stays small: a wider layer's tokens have features of their own there.
constexpr std::size_t kMostTokensOverA = 128, kMostWidthOverA = 128, kDrawnWidth = 32;

// One matrix behind the other, each from a stream of its own.
struct Draw {
  std::uint64_t seed;

  Tensor operator()(std::size_t in, std::size_t out) {
    std::vector<float> values(in * out);
    const float sd = 1 / std::sqrt(static_cast<float>(in));
    ++seed;
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = sd * random_normal(seed, i);
    return {{1, in, out}, std::move(values)};
  }
};

Tensor row_of(std::size_t columns, float value) {
  return {{1, 1, columns}, std::vector<float>(columns, value)};
}

Tensor first_rows(const Tensor& x, std::size_t count) {
  if (x.rows() == count) return x;
  const auto values = x.values().first(count * x.columns());
  return {{1, count, x.columns()}, std::vector<float>(values.begin(), values.end())};
}

Tensor drawn_tokens(std::size_t count) {
  std::vector<float> values(count * kDrawnWidth);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = random_normal(kOverA, i);
  return {{1, count, kDrawnWidth}, std::move(values)};
}

void draw_attention(Draw& draw, LayerSpec& layer, std::size_t heads, std::size_t width) {
  layer.heads = layer.kv_heads = heads;
  layer.muted_heads.clear();
  for (Tensor* weights : {&layer.w_q, &layer.w_k, &layer.w_v, &layer.w_o}) *weights = draw(width, width);
  for (Tensor* bias : {&layer.b_q, &layer.b_k, &layer.b_v, &layer.b_o})
    if (!bias->empty()) *bias = row_of(width, 0);
}

// With what `like` has besides its weights.
StackBlock drawn_block(Draw& draw, const StackSpec& stack, const StackBlock& like, const StackSizes& sizes) {
  const std::size_t width = width_of(stack);
  StackBlock block = like;
  block.off.clear();
  draw_attention(draw, block.attention, sizes.heads, width);
  if (block.cross) draw_attention(draw, *block.cross, sizes.heads, width);
  const bool biased = !like.inner.b.empty() || like.inner.w.empty();
  block.inner = block.gate = block.outer = {};
  if (sizes.inner > 0) {
    block.inner.w = draw(width, sizes.inner), block.outer.w = draw(sizes.inner, width);
    if (stack.swiglu) block.gate.w = draw(width, sizes.inner);
    if (biased) block.inner.b = row_of(sizes.inner, 0), block.outer.b = row_of(width, 0);
  }
  const std::size_t norms = 1 + (block.cross ? 1 : 0) + (sizes.inner > 0 ? 1 : 0);
  for (std::size_t i = 0; i < block.norms.size(); ++i) {
    block.norms[i] = {};
    if (i >= norms || stack.norm_at == NormAt::none) continue;
    block.norms[i].gain = row_of(width, 1);
    if (stack.norm_kind == NormKind::layer) block.norms[i].bias = row_of(width, 0);
  }
  return block;
}

void check_sizes(const StackSpec& stack, const StackSizes& sizes) {
  const std::size_t width = width_of(stack);
  if (sizes.layers < 1 || sizes.layers > kMostBlocks)
    throw Error("a stack has from 1 to " + std::to_string(kMostBlocks) + " layers, not " +
                    std::to_string(sizes.layers),
                Fault::option);
  if (sizes.heads < 1 || width % sizes.heads != 0)
    throw Error(std::to_string(sizes.heads) + " heads don't divide d = " + std::to_string(width) + ": " +
                    nearest_heads(width, sizes.heads),
                Fault::option);
  check_number_count(parameter_count(stack, sizes));
}

// What a side's blocks are like that has none yet.
StackBlock first_block(const StackSpec& stack, const StackSide& side, bool decoder) {
  if (!side.blocks.empty()) return side.blocks.front();
  StackBlock block;
  if (decoder) block.attention.masks = {{.rule = CausalRule{}}};
  if (decoder && (stack.has_encoder() || !stack.memory.empty())) block.cross.emplace();
  return block;
}

// A norm's bias where norms are RMSNorms.
template <class Part, class Member>
bool left_out(const StackSpec& stack, Member member) {
  if constexpr (std::is_same_v<Part, NormWeights>)
    return stack.norm_kind == NormKind::rms && member == &NormWeights::bias;
  return false;
}

}  // namespace

StackSizes sizes_of(const StackSpec& stack) {
  const StackSide& side = stack.has_encoder() ? stack.encoder : stack.decoder;
  if (side.blocks.empty()) return {.layers = 0};
  const StackBlock& block = side.blocks.front();
  return {side.blocks.size(), block.attention.heads, block.inner.w.columns()};
}

std::size_t parameter_count(const StackSpec& stack, const StackSizes& sizes) {
  const std::size_t d = width_of(stack), network = (stack.swiglu ? 3 : 2) * d * sizes.inner;
  std::size_t count =
      stack.embedding.values().size() + stack.head.values().size() + stack.position_table.values().size();
  if (stack.has_encoder()) count += sizes.layers * (4 * d * d + network);
  if (stack.has_decoder()) count += sizes.layers * ((stack.has_encoder() ? 8 : 4) * d * d + network);
  return count;
}

std::size_t parameter_count(const StackSpec& stack) {
  std::size_t count = 0;
  visit_stacks(
      [&]<class Part>(const std::string&, const Part& part) {
        visit_fields(of<Part>, [&]<class Field>(const Field& field, auto member) {
          if constexpr (std::is_same_v<Field, TensorField>)
            if (field.drawn == Drawn::parameters && &field != &stack_field::ids &&
                !left_out<Part>(stack, member))
              count += (part.*member).values().size();
        });
      },
      stack);
  return stack.tied ? count - stack.head.values().size() : count;
}

StackSpec made_stack(const StackSpec& stack, const StackSizes& sizes, std::uint64_t seed) {
  check_sizes(stack, sizes);
  StackSpec made = stack;
  made.weights = StackWeights::drawn, made.seed = seed;
  Draw draw{seed << 16};
  for (const bool decoder : {false, true}) {
    if (decoder ? !stack.has_decoder() : !stack.has_encoder()) continue;
    StackSide& side = decoder ? made.decoder : made.encoder;
    const StackBlock like = first_block(stack, side, decoder);
    side.blocks.clear();
    for (std::size_t i = 0; i < sizes.layers; ++i)
      side.blocks.push_back(drawn_block(draw, stack, like, sizes));
    side.norm = {};
    if (!side.normed) continue;
    side.norm.gain = row_of(width_of(stack), 1);
    if (stack.norm_kind == NormKind::layer) side.norm.bias = row_of(width_of(stack), 0);
  }
  return made;
}

StackSpec made_over(const LayerSpec& layer) {
  StackSpec stack;
  StackSide& side = stack.encoder;
  const std::size_t n = std::min(query_count(layer), kMostTokensOverA);
  const bool own = !layer.direct && layer.x.columns() <= kMostWidthOverA;
  const std::size_t width = own ? layer.x.columns() : kDrawnWidth;
  side.x = own ? first_rows(layer.x, n) : drawn_tokens(n);
  side.tokens = layer.tokens;
  if (side.tokens.size() > n) side.tokens.resize(n);
  side.first_position = layer.first_position;
  side.normed = true;
  StackBlock like;
  if (find_rule<CausalRule>(layer)) like.attention.masks = {{.rule = CausalRule{}}};
  side.blocks.push_back(std::move(like));
  const std::size_t heads = width % head_count(layer) == 0 ? head_count(layer) : 1;
  stack.position = repaired(layer.position, width / heads).value_or(layer.position);
  return made_stack(stack, {kUsualLayers, heads, 4 * width}, kOverA);
}

}  // namespace attn
