// What of a matrix goes into a picture of it: its cells, or pools of them where they are smaller than a
// pixel.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/tensor/tensor.h"

namespace attn {

// A float's bits, or this: a NaN that no arithmetic makes. Other NaNs are turned into the usual one.
inline constexpr std::uint32_t kMaskedTexel = 0x7fc0ffee;

// All NaN are one.
inline std::uint32_t texel_bits(float value) {
  constexpr std::uint32_t kNanBits = 0x7fc00000, kInfinityBits = 0x7f800000, kMagnitude = 0x7fffffff;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return (bits & kMagnitude) > kInfinityBits ? kNanBits : bits;
}

struct Texels {
  std::size_t width = 0, height = 0;
  std::vector<std::uint32_t> bits;  // row after row
  bool all_finite() const;          // nothing masked either
};

// Smaller copies of a large stack, made once with the results, so that a small picture of it need not read
// all of it. Level i holds, for blocks of `block` × `block` cells, the number of the largest magnitude.
struct Pools {
  struct Level {
    std::size_t block = 0, rows = 0, columns = 0;
    std::vector<std::uint32_t> bits;  // matrix after matrix
  };
  std::vector<Level> levels;  // from small blocks to large
  TensorId id = 0;            // in place of that of numbers that are not kept
  std::size_t bytes() const;
};

// Null where the matrices are small enough to be read.
std::shared_ptr<const Pools> make_pools(const Tensor& values, const Tensor& mask);

// Of a stack whose numbers are not kept: blocks of kCoarseBlock cells a side, matrix after matrix.
inline constexpr std::size_t kCoarseBlock = 16;
std::shared_ptr<const Pools> pools_of_blocks(const Shape& whole, std::vector<std::uint32_t> blocks);

// The same of a stack whose numbers are not here: no finer than its pools are.
Texels make_texels(const Shape& shape, std::size_t head, std::size_t width, std::size_t height,
                   const Pools& pools);

// Matrix `head` of `values` in width × height texels; where that is fewer than columns or rows, a texel holds
// the number of the largest magnitude among the cells that it touches: NaN before ±∞ before finite ones,
// masked only when all are. `mask`: nonzero is masked; may be empty; fewer matrices than heads are shared.
// With `pools` of the same tensors a texel of many cells takes whole blocks, each at most a third of its
// side.
Texels make_texels(const Tensor& values, const Tensor& mask, std::size_t head, std::size_t width,
                   std::size_t height, const Pools* pools = nullptr);

}  // namespace attn
