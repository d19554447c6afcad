// Biases by distance and numbers by offset, as formulas: flash attention has them in it too.
#pragma once

#include "core/code/formula.h"

namespace attn::code {

// ALiBi: h×n×m.
Formula distance_bias(std::size_t heads, std::size_t queries, std::size_t keys, std::ptrdiff_t first);
// As ByOffset has it.
Formula taken_by_offset(Formula x, const OffsetRule& rule, std::size_t queries, std::size_t keys,
                        std::ptrdiff_t first);

}  // namespace attn::code
