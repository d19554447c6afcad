// Products of two matrices added up: over each row, or altogether.
#pragma once

#include "core/operations/traits.h"

namespace attn {

// Inputs X and Y of one shape, S×n×m: Σ_j x·y of each row, S×n×1; or of all numbers, 1×1×1. A pair in which
// one number is 0 adds 0, whatever the other is.
struct SumProduct {
  enum Over { row, all };
  static constexpr const char* kName = "sum_product";
  Over over = row;
  bool operator==(const SumProduct&) const = default;
};

}  // namespace attn
