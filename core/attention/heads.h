// Heads side by side in one matrix, and one behind the other in a stack.
#pragma once

#include <optional>

#include "core/graph/graph.h"

namespace attn {

// Heads that lie side by side, 1×n×(h·w), as a stack, h×n×w: head r owns the columns r·w … (r+1)·w−1, as in
// a projection. `heads` divides the columns.
Tensor split_heads(const Tensor& wide, std::size_t heads);
// And back.
Tensor side_by_side(const Tensor& stack);

// Columns `begin` … `end` − 1.
struct Columns {
  std::size_t begin = 0, end = 0;
};
// Of a projection or its bias: the columns that make the queries, keys or values of a head of the weights.
// None where nothing is projected by it, or all of it belongs to one head.
std::optional<Columns> columns_of_head(const Graph& graph, StageIndex parameter, std::size_t head);

}  // namespace attn
