// What the stages of position encodings are made of, for others that show encodings by themselves.
#pragma once

#include <optional>
#include <vector>

#include "core/attention/position.h"
#include "core/graph/graph.h"

namespace attn {

// What is added to rows of this shape from position `first` on; none for encodings that act elsewhere.
std::optional<Operation> encoding_operation(const Position& position, const Shape& shape, std::size_t first);
// The vectors of clipped offsets, of so many features: those of the keys, or of the values.
LearnedTable relative_table(const Relative& relative, std::size_t columns, bool values);
// T5's numbers: heads×1×buckets.
LearnedTable bucket_table(const T5Bias& t5, std::size_t heads);
Buckets buckets_of(const T5Bias& t5);
// The rows of a relative table: "−2", "−1", "0", "+1", "+2".
Axis offset_axis(const Clip& clip);
// Which token stands where in order B: every second one first. No mirror image, which encodings of distance
// would not tell from A.
std::vector<std::size_t> second_order(std::size_t tokens);

}  // namespace attn
