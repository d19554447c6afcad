// Edits of the document's stack. Each makes it the document's own first, where it was one over A's tokens.
// What needs other shapes draws the weights anew, by the stack's seed.
#pragma once

#include <string>
#include <string_view>

#include "core/document/document.h"

namespace attn {

// The document's own: what is shown becomes it.
StackSpec& own_stack(Document& document);

// How many rows a layer's weights have, and how many columns; an attention of the stack has those of its
// sides.
struct PairCounts {
  std::size_t queries = 0, keys = 0;
};
PairCounts pair_counts(const Document& document, Address address);

// What stands between a block's two matrices; none: no such box.
enum class FeedForward { relu, gelu, gelu_tanh, silu, swiglu, none };
FeedForward feed_forward_of(const StackSpec& stack);

// Each throws Error where the stack cannot be so, and says what it could be; the document stays as it was.
void set_stack_sides(Document& document, StackSides sides);
void set_stack_layers(Document& document, std::size_t layers);  // of each side
void set_stack_heads(Document& document, std::size_t heads);
void set_stack_width(Document& document, std::size_t width);  // tokens and embedding are drawn anew too
void set_stack_inner(Document& document, std::size_t inner);
void set_feed_forward(Document& document, FeedForward kind);
// Untied, logits come from a matrix of their own; where there is none it begins as Eᵀ, so that no logit
// moves.
void set_tied(Document& document, bool tied);
void set_norm_at(Document& document, NormAt at);
void set_norm_kind(Document& document, NormKind kind);
void set_stack_seed(Document& document, std::uint64_t seed);
void switch_stack_box(Document& document, bool decoder, std::size_t block, StackBox box);

// The characters of a side's tokens, one behind the other, without the start symbol in front; and a side of
// other ones, each a symbol of the embedding, behind a start symbol where there was one. Throws Error naming
// a character that is none, or that there are more than it has positions.
std::string input_text(const StackSide& side);
void set_input_text(Document& document, bool decoder, std::string_view text);

}  // namespace attn
