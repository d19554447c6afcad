// What a layer keeps whatever the tokens: its parameters, and the keys and values of tokens that are past.
#pragma once

#include "core/cost/cost.h"

namespace attn {

struct Parameters {
  Quantity attention, feed_forward;  // of one layer, with the biases it has
};
Parameters parameters(const CostSpec& spec);
inline Count of_all_layers(const CostSpec& spec, const Quantity& of_one) {
  return of_one.value() * spec.layers;
}

// Keys and values of one token of one sequence, in all layers: 2·layers·h_kv·d_k·size. None where a state
// stands for them.
Quantity cache_per_token(const CostSpec& spec);
// All that decoding keeps of so many past tokens, of every sequence: no more than the window's keys, or the
// state.
Quantity cache_of(const CostSpec& spec, std::size_t tokens);

}  // namespace attn
