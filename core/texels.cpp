// Cells pooled into texels, and blocks of cells into the levels that spare reading them all.
#include "core/texels.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <span>

#include "core/operations/matmul.h"

namespace attn {
namespace {

constexpr std::size_t kFirstBlock = 4;           // cells a side
constexpr std::size_t kLargeMatrix = 256 * 256;  // cells; smaller ones are read as they are
constexpr std::size_t kBlocksAlong = 3;          // at least, of a texel that is made of blocks

// One matrix of cells, or of blocks.
struct Cells {
  std::span<const float> values, mask;    // of cells; an empty mask masks nothing
  std::span<const std::uint32_t> blocks;  // else
  std::size_t rows, columns;

  std::uint32_t bits(std::size_t i) const {
    if (!blocks.empty()) return blocks[i];
    if (!mask.empty() && mask[i] != 0) return kMaskedTexel;
    const float value = values[i];
    return std::bit_cast<std::uint32_t>(std::isnan(value) ? std::numeric_limits<float>::quiet_NaN() : value);
  }
};

Cells cells_of(const Tensor& values, const Tensor& mask, std::size_t head) {
  const Shape shape = values.shape();
  const std::size_t size = shape.rows * shape.columns;
  Cells cells{values.values().subspan(head * size, size), {}, {}, shape.rows, shape.columns};
  if (mask.empty()) return cells;
  assert(mask.rows() == shape.rows && mask.columns() == shape.columns);
  const bool shared = shape.stack % mask.stack() == 0;
  const std::size_t matrix = shared ? shared_matrix(head, mask.stack(), shape.stack) : 0;
  cells.mask = mask.values().subspan(matrix * size, size);
  return cells;
}

// Magnitudes order as their bits do: finite, infinite, NaN; of two alike the negative one comes first. Masked
// comes last. With the sign behind the magnitude the largest is a maximum, found without a branch.
std::uint32_t rank(std::uint32_t bits) {
  return bits == kMaskedTexel ? 0 : std::rotl(bits, 1) + 2;
}
std::uint32_t of_rank(std::uint32_t rank) {
  return rank == 0 ? kMaskedTexel : std::rotr(rank - 2, 1);
}

// The one to be seen of some cells of a row, and of what was found before.
std::uint32_t largest(const Cells& source, std::size_t row, std::size_t column, std::size_t end,
                      std::uint32_t found) {
  std::uint32_t most = rank(found);
  for (; column < end; ++column) most = std::max(most, rank(source.bits(row * source.columns + column)));
  return of_rank(most);
}

// Where the cells that texel `t` of `count` touches begin, of `cells` in a line; they end before end_of.
std::size_t begin_of(std::size_t t, std::size_t count, std::size_t cells) {
  return t * cells / count;
}
std::size_t end_of(std::size_t t, std::size_t count, std::size_t cells) {
  return ((t + 1) * cells + count - 1) / count;
}

// Pools one row of cells into a row of texels.
void pool_row(const Cells& source, std::size_t row, std::span<std::uint32_t> texels) {
  for (std::size_t x = 0; x < texels.size(); ++x)
    texels[x] = largest(source, row, begin_of(x, texels.size(), source.columns),
                        end_of(x, texels.size(), source.columns), texels[x]);
}

Texels pooled(const Cells& source, std::size_t width, std::size_t height) {
  Texels texels{std::min(width, source.columns), std::min(height, source.rows), {}};
  texels.bits.assign(texels.width * texels.height, kMaskedTexel);
  if (texels.bits.size() == source.rows * source.columns) {
    for (std::size_t i = 0; i < texels.bits.size(); ++i) texels.bits[i] = source.bits(i);
    return texels;
  }
  for (std::size_t y = 0; y < texels.height; ++y) {
    const std::span<std::uint32_t> line = std::span(texels.bits).subspan(y * texels.width, texels.width);
    const std::size_t end = end_of(y, texels.height, source.rows);
    for (std::size_t row = begin_of(y, texels.height, source.rows); row < end; ++row)
      pool_row(source, row, line);
  }
  return texels;
}

std::size_t blocks_in(std::size_t cells, std::size_t block) {
  return (cells + block - 1) / block;
}

// One matrix in blocks; its last ones may be smaller. The largest of the largest is the largest of all, so
// each level is made from the one before and not from the cells.
void append_blocks(const Cells& source, std::size_t block, std::vector<std::uint32_t>& bits) {
  const std::size_t columns = blocks_in(source.columns, block);
  for (std::size_t first = 0; first < source.rows; first += block) {
    const std::size_t at = bits.size();
    bits.resize(at + columns, kMaskedTexel);
    for (std::size_t row = first; row < std::min(first + block, source.rows); ++row)
      for (std::size_t x = 0; x < columns; ++x)
        bits[at + x] =
            largest(source, row, x * block, std::min((x + 1) * block, source.columns), bits[at + x]);
  }
}

// The level whose blocks are as large as texels of this size allow; null: the cells themselves.
const Pools::Level* level_for(const Pools* pools, const Shape& shape, std::size_t width, std::size_t height) {
  const Pools::Level* best = nullptr;
  if (!pools || width == 0 || height == 0) return best;
  const std::size_t cells = std::min(shape.columns / width, shape.rows / height);
  for (const Pools::Level& level : pools->levels)
    if (level.block * kBlocksAlong <= cells) best = &level;
  return best;
}

}  // namespace

bool Texels::all_finite() const {
  constexpr std::uint32_t kInfinity = 0x7f800000;
  return std::ranges::none_of(bits, [](std::uint32_t b) { return (b & kInfinity) == kInfinity; });
}

std::size_t Pools::bytes() const {
  std::size_t sum = 0;
  for (const Level& level : levels) sum += level.bits.size() * sizeof level.bits[0];
  return sum;
}

std::shared_ptr<const Pools> make_pools(const Tensor& values, const Tensor& mask) {
  const Shape shape = values.shape();
  if (shape.rows * shape.columns <= kLargeMatrix) return nullptr;
  auto pools = std::make_shared<Pools>();
  for (std::size_t block = kFirstBlock; blocks_in(std::min(shape.rows, shape.columns), block) > 1;
       block *= kFirstBlock) {
    Pools::Level level{block, blocks_in(shape.rows, block), blocks_in(shape.columns, block), {}};
    const Pools::Level* finer = pools->levels.empty() ? nullptr : &pools->levels.back();
    for (std::size_t head = 0; head < shape.stack; ++head) {
      Cells source = finer ? Cells{{}, {}, {}, finer->rows, finer->columns} : cells_of(values, mask, head);
      if (finer)
        source.blocks =
            std::span(finer->bits).subspan(head * finer->rows * finer->columns, finer->rows * finer->columns);
      append_blocks(source, kFirstBlock, level.bits);
    }
    pools->levels.push_back(std::move(level));
  }
  return pools;
}

Texels make_texels(const Tensor& values, const Tensor& mask, std::size_t head, std::size_t width,
                   std::size_t height, const Pools* pools) {
  const Pools::Level* level = level_for(pools, values.shape(), width, height);
  if (!level) return pooled(cells_of(values, mask, head), width, height);
  const std::size_t size = level->rows * level->columns;
  return pooled({{}, {}, std::span(level->bits).subspan(head * size, size), level->rows, level->columns},
                width, height);
}

}  // namespace attn
