// StackSpec: a Transformer as the user edits it: an encoder, a decoder, or both. A plain value.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/attention/layer.h"
#include "core/operations/activation.h"

namespace attn {

// What a decoder begins with, as it is shown.
inline constexpr const char* kStartSymbol = "‹s›";

enum class StackSides { encoder, decoder, both };

// Where a box's normalisation stands: x + f(norm x), norm(x + f(x)), or nowhere.
enum class NormAt { before, after, none };
enum class NormKind { layer, rms };

// Where its weights are from: given (a file, or edited), drawn by a seed, or trained.
enum class StackWeights { given, drawn, trained };

// A gain and a bias for each feature, 1×1×d; an empty gain: 1s, an empty bias: none.
struct NormWeights {
  Tensor gain, bias;
  bool operator==(const NormWeights&) const = default;
};

// Y = X·w + b: 1×in×out and 1×1×out; an empty b: none.
struct Affine {
  Tensor w, b;
  bool operator==(const Affine&) const = default;
};

// The boxes of a block, in the order of the computation.
enum class StackBox { attention, cross, feed_forward };
inline constexpr std::size_t kBoxes = 3;

// One layer of a side: attention to its own side, in a decoder attention to the encoder's output, and a
// feed-forward network. The x, memory, labels and positions of its attentions are those of the stack.
struct StackBlock {
  LayerSpec attention;
  std::optional<LayerSpec> cross = {};
  Affine inner, gate, outer;  // d×inner, d×inner of SwiGLU, inner×d; without: no such box
  std::array<NormWeights, kBoxes> norms = {};
  std::vector<std::size_t> off = {};  // boxes that add nothing to the stream, by number, ascending
  bool operator==(const StackBlock&) const = default;
  bool is_off(StackBox box) const;
  bool has(StackBox box) const;
};

// An encoder or a decoder. Its tokens are rows that are given, or rows of the stack's embedding.
struct StackSide {
  Tensor x;                        // 1×n×d: what goes in; empty where there are ids
  Tensor ids;                      // 1×n×1: rows of the stack's embedding
  Labels tokens;                   // of its rows; empty: indices
  std::size_t first_position = 0;  // of its first token
  bool normed = false;             // after the last block
  NormWeights norm;
  std::vector<StackBlock> blocks;
  bool operator==(const StackSide&) const = default;
};

struct StackSpec {
  StackSides sides = StackSides::encoder;
  StackWeights weights = StackWeights::given;
  std::uint64_t seed = 7;  // of those that are drawn
  NormAt norm_at = NormAt::before;
  NormKind norm_kind = NormKind::layer;
  double epsilon = 1e-5;
  bool residual = true;
  bool swiglu = false;  // silu(x·gate) ⊙ (x·inner), in place of the activation
  ActivationKind activation = ActivationKind::relu;
  // Added to what goes in, or in every attention to its own side; `position_table` in its place where that is
  // given, 1×positions×d.
  Position position = {};
  Tensor position_table;
  Tensor embedding;  // 1×V×d, a row for each symbol; empty: there is none
  Labels symbols;
  bool tied = false;  // logits: output · embeddingᵀ
  Tensor head;        // 1×d×V, logits where they are not tied; empty: there are none
  // What a decoder alone attends to, in place of an encoder's output, 1×m×d; empty: it has no
  // cross-attention.
  Tensor memory;
  Labels memory_tokens;
  StackSide encoder, decoder;
  bool operator==(const StackSpec&) const = default;

  bool empty() const { return encoder.blocks.empty() && decoder.blocks.empty(); }
  bool has_encoder() const { return sides != StackSides::decoder; }
  bool has_decoder() const { return sides != StackSides::encoder; }
};

// Of a side: the width of its stream; of a stack: of the side that comes last. 0: it has no numbers yet.
std::size_t width_of(const StackSpec& stack);
std::size_t token_count(const StackSide& side);

// Which of the document's layers a block's attention, or cross-attention, is; and it. Null: it has none.
Address address_of(bool decoder, std::size_t block, StackBox box);
const LayerSpec* layer_at(const StackSpec& stack, Address address);
LayerSpec* layer_at(StackSpec& stack, Address address);

// The key of a part in session files: "stack.encoder", "stack.decoder.3.norm2".
std::string part_key(bool decoder, std::string_view part);
std::string part_key(bool decoder, std::size_t block, std::string_view part);

// Whether both have the same blocks, with the same boxes of their own.
bool same_blocks(const StackSpec& a, const StackSpec& b);

// Calls visit(key, part...) for each part of (const) stacks that has fields of its own, side by side: of the
// stack, of its sides, of every block what it has. They have the same blocks.
template <class Visit, class... Stacks>
void visit_stacks(Visit&& visit, Stacks&... stacks) {
  visit(std::string("stack"), stacks...);
  const auto visit_block = [&](bool decoder, std::size_t i, auto&... blocks) {
    visit(part_key(decoder, i, "attention"), blocks.attention...);
    if ((blocks.cross && ...)) visit(part_key(decoder, i, "cross"), *blocks.cross...);
    visit(part_key(decoder, i, "inner"), blocks.inner...);
    visit(part_key(decoder, i, "gate"), blocks.gate...);
    visit(part_key(decoder, i, "outer"), blocks.outer...);
    for (std::size_t norm = 0; norm < kBoxes; ++norm)
      visit(part_key(decoder, i, "norm" + std::to_string(norm + 1)), blocks.norms[norm]...);
    visit(part_key(decoder, i, "boxes"), blocks...);
  };
  const auto visit_side = [&](bool decoder, auto&... sides) {
    visit(part_key(decoder, ""), sides...);
    visit(part_key(decoder, "norm"), sides.norm...);
    const std::size_t count = std::min({sides.blocks.size()...});
    for (std::size_t i = 0; i < count; ++i) visit_block(decoder, i, sides.blocks[i]...);
  };
  visit_side(false, stacks.encoder...);
  visit_side(true, stacks.decoder...);
}

}  // namespace attn
