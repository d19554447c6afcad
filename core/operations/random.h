// Products of random vectors: what scores are before any training.
#pragma once

#include <array>
#include <cstdint>

#include "core/operations/traits.h"

namespace attn {

// Y[r, j] = Σ q_i·k_i over the dimensions i from `first` on, of a row's own query q and its j-th own key k,
// all numbers from N(0, 1): 1×rows×keys. With an input, what the dimensions before came to: added to it.
// Number i of a vector is normal i mod 4 of the Philox block whose key is the seed (lower word first) and
// whose counter is {i div 4, row, vector, 0}; vector 0 is the query, vector 1 + j key j.
struct RandomProducts {
  static constexpr const char* kName = "random_products";
  static constexpr std::size_t kMostDimensions = 64;  // of one operation
  std::uint64_t seed = 0;
  std::size_t first = 0, count = 0, rows = 0, keys = 0;
  bool operator==(const RandomProducts&) const = default;
};

// The normals 4·block … 4·block + 3 of a vector.
std::array<double, 4> random_block(std::uint64_t seed, std::size_t block, std::size_t row,
                                   std::size_t vector);
// The numbers first … first + count − 1 of a vector.
std::vector<double> random_vector(const RandomProducts& op, std::size_t row, std::size_t vector);

}  // namespace attn
