// Heads side by side in one matrix, and one behind the other in a stack.
#pragma once

#include "core/tensor.h"

namespace attn {

// Heads that lie side by side, 1×n×(h·w), as a stack, h×n×w: head r owns the columns r·w … (r+1)·w−1, as in
// a projection. `heads` divides the columns.
Tensor split_heads(const Tensor& wide, std::size_t heads);
// And back.
Tensor side_by_side(const Tensor& stack);

}  // namespace attn
