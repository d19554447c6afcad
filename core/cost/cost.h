// What is counted: the shape of a layer, the mechanism that mixes its tokens, the format of its numbers.
#pragma once

#include <string>

#include "core/measure/kinds.h"
#include "core/text/quantity.h"

namespace attn {

std::size_t bytes_of(StoredFormat format);

// "window:256".
std::string word_of(const Mechanism& mechanism);

// One layer of self-attention with its feed-forward, and how many of it there are. Its widths follow from d:
// d_k = d_v = d/heads.
struct CostSpec {
  std::size_t n = 1024;  // tokens that are computed
  std::size_t past = 0;  // tokens before them, whose keys and values are kept from earlier
  std::size_t d = 768;
  std::size_t heads = 12, kv_heads = 12;
  std::size_t feed_forward = 0;  // inner width; 0 is 4·d
  bool gated = false;            // a third matrix, as SwiGLU has it
  Biases biases = Biases::none;
  std::size_t layers = 1, batch = 1;
  StoredFormat format = StoredFormat::float32;
  Mechanism mechanism;
  bool causal = false;    // window and stride reach no later keys; the others compute masked scores too
  bool backward = false;  // the backward pass alone

  std::size_t keys() const { return past + n; }
  std::size_t head_width() const { return d / heads; }
  std::size_t inner_width() const { return feed_forward == 0 ? 4 * d : feed_forward; }
  bool operator==(const CostSpec&) const = default;
};

// Throws Error where a number is 0 or beyond what is counted (kinds.h), or heads don't divide what they
// share: it says what fits.
void check_cost(const CostSpec& spec);

// How many pairs of a query and a key a mechanism with scores computes, and how many of the keys before and
// among the tokens any query reads.
Count attended_pairs(const CostSpec& spec);
std::size_t reached_keys(const CostSpec& spec);

}  // namespace attn
