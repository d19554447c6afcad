// A layer's attention as lines of PyTorch.
#pragma once

#include <optional>
#include <string>

#include "core/evaluate/results.h"

namespace attn {

// Functions that compute attention.
enum class AttentionFunction { scaled_dot_product_attention, multihead_attention };

struct AttentionCode {
  std::string text;
  bool same = true;  // the function does what the layer does; else comments say in what they differ
};

// The call that computes what the layer of this part does: from q, k and v with the heads before the tokens,
// or from x and memory by `attention`, a MultiheadAttention. Scale, bias and mask are the layer's; what the
// function does not do is said in comments. Nothing where the part has no weights that mix values, or a
// number that is needed was not computed.
std::optional<AttentionCode> attention_code(const Results& results, std::size_t part,
                                            AttentionFunction function);

}  // namespace attn
