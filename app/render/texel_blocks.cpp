// Blocks are small compared with the tiles of a screen, and few compared with the texels.
#include "app/render/texel_blocks.h"

#include <algorithm>
#include <cmath>

#include "app/theme/hash.h"

namespace attn {
namespace {

constexpr std::size_t kBlock = 8;  // texels a side

std::size_t blocks_along(std::size_t texels) {
  return (texels + kBlock - 1) / kBlock;
}

// The block of what is this far along, a texel more or less: a rasteriser rounds in its own way.
std::size_t block_at(float part, std::size_t texels, float more) {
  const float texel = std::floor(part * static_cast<float>(texels)) + more;
  return static_cast<std::size_t>(std::clamp(texel, 0.0f, static_cast<float>(texels - 1))) / kBlock;
}

}  // namespace

TexelBlocks::TexelBlocks(const Texels& texels)
    : width_(texels.width),
      height_(texels.height),
      across_(blocks_along(texels.width)),
      hashes_(across_ * blocks_along(texels.height), 1) {
  for (std::size_t y = 0; y < height_; ++y)
    for (std::size_t x = 0; x < width_; ++x) {
      std::uint64_t& hash = hashes_[y / kBlock * across_ + x / kBlock];
      hash = mixed(hash, texels.bits[y * width_ + x]);
    }
}

std::uint64_t TexelBlocks::between(ImVec2 from, ImVec2 to) const {
  std::uint64_t hash = mixed(mixed(1, width_), height_);
  if (hashes_.empty()) return hash;
  const std::size_t last_x = block_at(to.x, width_, 1), last_y = block_at(to.y, height_, 1);
  for (std::size_t y = block_at(from.y, height_, -1); y <= last_y; ++y)
    for (std::size_t x = block_at(from.x, width_, -1); x <= last_x; ++x)
      hash = mixed(hash, hashes_[y * across_ + x]);
  return hash;
}

}  // namespace attn
