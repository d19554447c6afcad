// Which heads of queries and matrices of keys a matrix of an input has to do with, where heads share
// matrices.
#pragma once

#include "core/operations/explain.h"

namespace attn {

// Heads of queries that share a matrix of an input, and with it the matrices of keys that they read. Inputs:
// Q, K, and others.
struct SharedHeads {
  SharedHeads(Shapes inputs, std::size_t input, std::size_t matrix) {
    const std::size_t heads = inputs[0].stack, of_input = heads / inputs[input].stack,
                      of_keys = heads / inputs[1].stack;
    first = matrix * of_input, last = first + of_input;
    first_keys = first / of_keys, last_keys = (last - 1) / of_keys + 1;
  }
  std::size_t first, last, first_keys, last_keys;
};

}  // namespace attn
