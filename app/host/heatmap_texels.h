// What of a matrix goes into its texture: its cells, or pools of them where they are smaller than a pixel.
#pragma once

#include <cstdint>
#include <vector>

#include "core/tensor.h"

namespace attn {

// A float's bits, or this: a NaN that no arithmetic makes. Other NaNs are turned into the usual one.
inline constexpr std::uint32_t kMaskedTexel = 0x7fc0ffee;

struct Texels {
  std::size_t width = 0, height = 0;
  std::vector<std::uint32_t> bits;  // row after row
  bool all_finite() const;          // nothing masked either
};

// Matrix `head` of `values` in width × height texels; where that is fewer than columns or rows, a texel holds
// the number of the largest magnitude among the cells that it touches: NaN before ±∞ before finite ones,
// masked only when all are. `mask`: nonzero is masked; may be empty; fewer matrices than heads are shared.
Texels make_texels(const Tensor& values, const Tensor& mask, std::size_t head, std::size_t width,
                   std::size_t height);

}  // namespace attn
