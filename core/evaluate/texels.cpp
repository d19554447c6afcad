// Cells pooled into texels, and blocks of cells into the levels that spare reading them all.
#include "core/evaluate/texels.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <span>

#include "core/operations/matmul.h"

namespace attn {
namespace {

constexpr std::size_t kFirstBlock = 4;           // cells a side
constexpr std::size_t kLargeMatrix = 512 * 256;  // cells; smaller ones are read as they are
constexpr std::size_t kBlocksAlong = 3;          // at least, of a texel that is made of blocks

// One matrix of cells, or of blocks.
struct Cells {
  std::span<const float> values, mask;    // of cells; an empty mask masks nothing
  std::span<const std::uint32_t> blocks;  // else
  std::size_t rows, columns;

  std::uint32_t bits(std::size_t i) const {
    if (!blocks.empty()) return blocks[i];
    if (!mask.empty() && mask[i] != 0) return kMaskedTexel;
    return texel_bits(values[i]);
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

// The largest rank of each column in some rows; in loops that compilers turn into vector instructions.
void rank_rows(const Cells& source, std::size_t first, std::size_t end, std::span<std::uint32_t> ranks) {
  std::ranges::fill(ranks, 0u);
  for (std::size_t row = first; row < end; ++row) {
    const std::size_t from = row * source.columns;
    if (!source.blocks.empty()) {
      const auto cells = source.blocks.subspan(from, ranks.size());
      for (std::size_t i = 0; i < ranks.size(); ++i) ranks[i] = std::max(ranks[i], rank(cells[i]));
      continue;
    }
    const auto cells = source.values.subspan(from, ranks.size());
    if (source.mask.empty())
      for (std::size_t i = 0; i < ranks.size(); ++i)
        ranks[i] = std::max(ranks[i], rank(texel_bits(cells[i])));
    else
      for (std::size_t i = 0; i < ranks.size(); ++i)
        if (source.mask[from + i] == 0) ranks[i] = std::max(ranks[i], rank(texel_bits(cells[i])));
  }
}

// Where the cells that texel `t` of `count` touches begin, of `cells` in a line; they end before end_of.
std::size_t begin_of(std::size_t t, std::size_t count, std::size_t cells) {
  return t * cells / count;
}
std::size_t end_of(std::size_t t, std::size_t count, std::size_t cells) {
  return ((t + 1) * cells + count - 1) / count;
}

Texels pooled(const Cells& source, std::size_t width, std::size_t height) {
  Texels texels{std::min(width, source.columns), std::min(height, source.rows), {}};
  texels.bits.resize(texels.width * texels.height);
  if (texels.bits.size() == source.rows * source.columns) {
    for (std::size_t i = 0; i < texels.bits.size(); ++i) texels.bits[i] = source.bits(i);
    return texels;
  }
  std::vector<std::uint32_t> ranks(source.columns);
  for (std::size_t y = 0; y < texels.height; ++y) {
    rank_rows(source, begin_of(y, texels.height, source.rows), end_of(y, texels.height, source.rows), ranks);
    for (std::size_t x = 0; x < texels.width; ++x) {
      std::uint32_t most = 0;
      const std::size_t end = end_of(x, texels.width, source.columns);
      for (std::size_t i = begin_of(x, texels.width, source.columns); i < end; ++i)
        most = std::max(most, ranks[i]);
      texels.bits[y * texels.width + x] = of_rank(most);
    }
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
  std::vector<std::uint32_t> ranks(source.columns);
  for (std::size_t first = 0; first < source.rows; first += block) {
    rank_rows(source, first, std::min(first + block, source.rows), ranks);
    for (std::size_t x = 0; x < columns; ++x) {
      const auto cells = std::span(ranks).subspan(x * block, std::min(block, source.columns - x * block));
      bits.push_back(of_rank(std::ranges::max(cells)));
    }
  }
}

Cells cells_of(const Pools::Level& level, std::size_t head) {
  const std::size_t size = level.rows * level.columns;
  return {{}, {}, std::span(level.bits).subspan(head * size, size), level.rows, level.columns};
}

Pools::Level empty_level(const Shape& shape, std::size_t block) {
  return {block, blocks_in(shape.rows, block), blocks_in(shape.columns, block), {}};
}

// Coarser ones behind it, up to one block in a row or column.
std::shared_ptr<Pools> with_coarser(const Shape& shape, Pools::Level finest) {
  auto pools = std::make_shared<Pools>();
  pools->levels.push_back(std::move(finest));
  for (std::size_t block = pools->levels.back().block * kFirstBlock;
       blocks_in(std::min(shape.rows, shape.columns), block) > 1; block *= kFirstBlock) {
    Pools::Level level = empty_level(shape, block);
    for (std::size_t head = 0; head < shape.stack; ++head)
      append_blocks(cells_of(pools->levels.back(), head), kFirstBlock, level.bits);
    pools->levels.push_back(std::move(level));
  }
  return pools;
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
  constexpr std::uint32_t kInfinityBits = 0x7f800000;
  return std::ranges::none_of(bits, [](std::uint32_t b) { return (b & kInfinityBits) == kInfinityBits; });
}

std::size_t Pools::bytes() const {
  std::size_t sum = 0;
  for (const Level& level : levels) sum += level.bits.size() * sizeof level.bits[0];
  return sum;
}

std::shared_ptr<const Pools> make_pools(const Tensor& values, const Tensor& mask) {
  const Shape shape = values.shape();
  if (shape.rows * shape.columns <= kLargeMatrix) return nullptr;
  Pools::Level finest = empty_level(shape, kFirstBlock);
  for (std::size_t head = 0; head < shape.stack; ++head)
    append_blocks(cells_of(values, mask, head), kFirstBlock, finest.bits);
  return with_coarser(shape, std::move(finest));
}

std::shared_ptr<const Pools> pools_of_blocks(const Shape& whole, std::vector<std::uint32_t> blocks) {
  Pools::Level finest = empty_level(whole, kCoarseBlock);
  finest.bits = std::move(blocks);
  auto pools = with_coarser(whole, std::move(finest));
  pools->id = detail::next_tensor_id();
  return pools;
}

Texels make_texels(const Shape& shape, std::size_t head, std::size_t width, std::size_t height,
                   const Pools& pools) {
  const Pools::Level* level = level_for(&pools, shape, width, height);
  return pooled(cells_of(level ? *level : pools.levels.front(), head), width, height);
}

Texels make_texels(const Tensor& values, const Tensor& mask, std::size_t head, std::size_t width,
                   std::size_t height, const Pools* pools) {
  const Pools::Level* level = level_for(pools, values.shape(), width, height);
  if (!level) return pooled(cells_of(values, mask, head), width, height);
  return pooled(cells_of(*level, head), width, height);
}

}  // namespace attn
