// What a step of decoding takes with the cache and when everything is computed again, counted from shapes.
#pragma once

#include <cstddef>

#include "core/transformer/part.h"

namespace attn {

struct DecodingAmount {
  double operations = 0, bytes = 0;
  DecodingAmount& operator+=(const DecodingAmount& more) {
    operations += more.operations, bytes += more.bytes;
    return *this;
  }
};

// Operations of the products of matrices, a multiply-add is two; bytes of weights, and of keys and values,
// each read or written once. Scores of masked keys are counted where everything is computed again: they are
// computed there. Of the decoder and its head, the encoder's output being there: keys and values of the
// memory are made once (`memory`), or again with each step.
struct DecodingCost {
  explicit DecodingCost(const StackSpec& stack);

  DecodingAmount cached(std::size_t place) const;      // the token at this place alone
  DecodingAmount recomputed(std::size_t place) const;  // all tokens up to it
  // Of all steps up to that at the place; with what is made once.
  DecodingAmount cached_so_far(std::size_t place) const;
  DecodingAmount recomputed_so_far(std::size_t place) const;

  DecodingAmount memory;            // keys and values of the memory
  double row = 0;                   // operations of each row but for attention
  double pair = 0, cross = 0;       // of each query with each key; of each query with all of the memory
  double weights = 0;               // bytes of what a row is multiplied by
  double kept = 0, kept_cross = 0;  // bytes of a token's keys and values in all layers; of the memory's
};

}  // namespace attn
