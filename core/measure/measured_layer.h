// Layers of random numbers, for measuring how long something takes.
#pragma once

#include <cstddef>

#include "core/document/document.h"

namespace attn {

// Normal numbers, mean 0 and deviation 1; the same each time.
Tensor measured_numbers(Shape shape);
// X tokens×width, W_Q, W_K, W_V and W_O width×width with numbers that keep the variance of X; the same each
// time.
Document measured_layer(std::size_t tokens, std::size_t width, std::size_t heads);

}  // namespace attn
