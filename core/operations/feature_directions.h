// The directions of random features.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/tensor/tensor.h"

namespace attn {

// 1×width×count, a column each, from N(0, 1): the normals of the seed, row after row.
Tensor random_directions(std::size_t width, std::size_t count, std::uint64_t seed);

}  // namespace attn
