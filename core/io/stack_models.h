// Stacks that come with the program, trained.
#pragma once

#include <cstddef>
#include <span>

#include "core/transformer/part.h"

namespace attn {

// Written dates to ISO ones, character by character: an encoder and a decoder of 4 layers, d 32, 4 heads,
// trained by `attention-lab train dates` (tests/oracles/make_dates_model.py). It reads "12·mar·1987" and has
// written "1987-03-1".
StackSpec dates_stack();
// Another model of dates, of the bytes of such a file.
StackSpec dates_stack_of(std::span<const std::byte> npz);

}  // namespace attn
