// What the cases of flash attention, there and back, have in common.
#pragma once

#include "core/opencl/cases/cases.h"
#include "core/opencl/cases/numbers.h"
#include "core/operations/flash.h"

namespace attn::opencl {

struct FlashSize {
  std::size_t heads, shared, n, m, d, c;
};
// "4/2 13×67 of 19, 21".
std::string to_text(const FlashSize& size);

// Numbers up to 1: scores of an ordinary size.
Tensor up_to_one(Shape shape, Kind kind, std::uint64_t seed);

// Of each kind of score one, and in most scopes of each kind of mask.
std::vector<FlashAttention> flash_variants(Scope scope, const FlashSize& s);
// `kind`: of the bias. Where there is a mask nobody sees the last key, whose value is NaN, and one row sees
// none.
std::vector<Tensor> flash_inputs(const FlashAttention& op, const FlashSize& s, Kind kind, std::uint64_t seed);

// How far a float score may be from the exact one, at most, and the maximum or log-sum-exp from it: each of d
// products and sums, the scale of the query, tanh (5 units), its biases and the difference are rounded.
double score_error(const FlashAttention& op, Inputs inputs, Cell row, std::size_t key);

}  // namespace attn::opencl
