// Dropout with a seed: the same entries fall on every device, on every run.
#pragma once

#include <cstdint>

#include "core/operations/traits.h"

namespace attn {

// Y = X/(1−p) where kept, 0 where dropped; entry e (its flat index) is kept when its random number u ≥ p.
// u is random_bits(seed, e) ÷ 2^24, so it can be computed anywhere, in any order.
// p = 1 drops everything. Any shape.
struct Dropout {
  static constexpr const char* kName = "dropout";
  double p = 0;  // in [0, 1]
  std::uint64_t seed = 0;
  // Of a part of an X: the number of its first row there, and how many rows each matrix has; 0: it is whole.
  std::size_t first = 0, rows = 0;
  bool operator==(const Dropout&) const = default;

  std::uint32_t threshold() const;  // kept when the 24-bit number is at least this
  double factor() const { return p < 1 ? 1 / (1 - p) : 0; }
};

// By the random number of the cell's flat index in the whole X (core/tensor/random.h). `shape`: of what is
// here of it.
bool dropout_keeps(const Dropout& op, const Shape& shape, Cell cell);

}  // namespace attn
