// Attention of many short sequences at once, as training has them: all heads of a batch from projections that
// lie side by side, with nothing split, merged or kept between.
#pragma once

#include <optional>
#include <span>

#include "core/operations/offset.h"

namespace attn {

// softmax(scale·QKᵀ + bias)·V of each sequence and head by itself. One input, self-attention: 1×(b·n)×3w, the
// queries, keys and values of all heads side by side in each row. Two, attention to others: queries,
// 1×(b·n)×w, and keys and values, 1×(b·m)×2w. Sequence s has rows s·n … s·n + n − 1, head r columns r·w/h …
// (r + 1)·w/h − 1 of each; b is `sequences`, h `heads`. Result 1×(b·n)×w. `causal`: query i sees keys 0 … i.
// `alibi`: −alibi_slope(head)·|i − j| is added to its scores. `offsets`: a last input, 1×(b·n)×(h·c), c =
// index_count(*offsets), has numbers that are added by the offset j − i: to query i's score with key j in
// head r number r·c + index_of(*offsets, j − i) of the query's row.
//
// Devices sum in float: the sums are short. At most kMostTokens keys and heads of kMostWidth.
struct SequenceAttention {
  static constexpr const char* kName = "sequence_attention";
  static constexpr std::size_t kMostTokens = 256, kMostWidth = 64;
  std::size_t sequences = 1, heads = 1;
  double scale = 1;
  bool causal = false, alibi = false;
  std::optional<OffsetRule> offsets = {};
  bool operator==(const SequenceAttention&) const = default;
};

// What flows back to one of its inputs, of that one's shape. Inputs: those of the forward operation, behind
// them dO, of its result's shape. With P its weights: dV = Pᵀ·dO, dS = P ⊙ (dO·Vᵀ − rowsum(dO·Vᵀ ⊙ P)), dQ =
// scale·dS·K, dK = scale·dSᵀ·Q; a number that is added gets the sum of dS over the keys that have it. The
// weights are made again.
struct SequenceGradient {
  static constexpr const char* kName = "sequence_gradient";
  SequenceAttention forward = {};
  std::size_t of = 0;  // number of the input
  bool operator==(const SequenceGradient&) const = default;
};

// Where queries, keys and values lie.
struct SequenceSides {
  SequenceSides(const SequenceAttention& op, Shapes inputs);
  std::size_t queries = 0, keys = 0;       // of a sequence
  std::size_t width = 0, head = 0;         // of all heads, of one
  std::size_t of_keys = 0;                 // number of the input with keys and values
  std::size_t first_key = 0;               // column of the first head's keys; its values' is `width` further
  std::size_t query_row = 0, key_row = 0;  // numbers of a row
  std::size_t added = 0;                   // numbers by offset, of a head; 0: none are added
};

}  // namespace attn
