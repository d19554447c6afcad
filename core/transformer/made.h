// Stacks that are made: weights drawn by a seed, over tokens that are there.
#pragma once

#include <cstdint>

#include "core/transformer/part.h"

namespace attn {

// How large a stack is: what decides the shapes of its weights. `inner` 0: no feed-forward.
struct StackSizes {
  std::size_t layers = 4, heads = 4, inner = 0;
  bool operator==(const StackSizes&) const = default;
};
StackSizes sizes_of(const StackSpec& stack);

// The numbers that a stack like this one would have with these sizes, before any is drawn.
std::size_t parameter_count(const StackSpec& stack, const StackSizes& sizes);
// Those that it has.
std::size_t parameter_count(const StackSpec& stack);

// This stack with blocks of these sizes and weights drawn anew, its choices, tokens, embedding and head as
// they are: projections from N(0, 1/inputs), gains 1, biases 0, as many as its first block has. The seed and
// the place alone decide a number. Throws Error where the heads don't divide the width, the sizes are none,
// or the numbers are more than a document may hold.
StackSpec made_stack(const StackSpec& stack, const StackSizes& sizes, std::uint64_t seed);

// An encoder of 4 layers over a layer's first 128 tokens, with its positions, its heads where they divide the
// width, its causal mask if it has one, a feed-forward network of four times the width, norms before and a
// final one. A layer without an X, or with one wider than 128, gets tokens of 32 features, drawn.
StackSpec made_over(const LayerSpec& layer);

}  // namespace attn
