// A stack from named arrays, as PyTorch saves them: weights out×in, those of queries, keys and
// values packed, one below the other (torch.nn.TransformerEncoderLayer).
#pragma once

#include <string_view>
#include <vector>

#include "core/io/layer_npz.h"
#include "core/transformer/parameters.h"

namespace attn {

// What arrays do not tell.
struct StackWords {
  std::size_t heads = 1;
  NormAt norm_at = NormAt::before;  // of norms that are there
  NormKind norm_kind = NormKind::layer;
  ActivationKind activation = ActivationKind::relu;  // of a feed-forward without a gate
  bool residual = true;
  std::vector<MaskTerm> masks = {};        // of the encoder, or of a decoder without one
  std::vector<MaskTerm> cross_masks = {};  // of what the decoder sees of the other side
};

// Names as nn.TransformerEncoder and nn.TransformerDecoder have them themselves, layers.0.… and norm.…, with
// the side in front: a decoder's where there is cross-attention. Others stay.
void name_side(NamedArrays& arrays);
// What a stack's parameters are told from: this array of the first layer, with or without its side.
bool names_first_layer(std::string_view array);
// Whether a stack has an array of that name.
bool names_part_of_stack(std::string_view array);

// A stack of named arrays: `x` (n×d) of an encoder or a decoder alone, `source` and `target` of both, and the
// parameters; its sides and layers are those that there are names of. Where there is an embedding, the three
// may be n ids of its rows; `symbols` are the code points of these. Without head.weight its logits are tied
// to the embedding. A decoder is causal. Names that mean nothing here go to `left_out`. Throws Error naming
// the array and the reason.
StackSpec stack_of(NamedArrays arrays, const StackWords& words, NamedArrays* left_out = nullptr);

}  // namespace attn
