// One pass over a tensor's numbers, in loops that compilers turn into vector instructions.
#include "core/evaluate/summary.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

#include "core/operations/block_summary.h"

namespace attn {
namespace {

constexpr std::uint32_t kInfinityBits = 0x7f800000, kMagnitude = 0x7fffffff;
constexpr std::size_t kChunk = 4096;  // numbers between two looks whether all were whole

// Numbers in their order as integers: a comparison of numbers that may be NaN keeps a loop from vectors.
std::int32_t ordered(std::int32_t bits) {
  return bits ^ ((bits >> 31) & static_cast<std::int32_t>(kMagnitude));  // of itself the inverse
}
float number(std::int32_t ordered_bits) {
  return std::bit_cast<float>(ordered(ordered_bits)) + 0.0f;  // −0 is 0
}

// Widens the bounds; whether all numbers are finite. Those that are not count as 0.
bool widen(Bounds& bounds, std::span<const float> values) {
  // The loop never ends early, for the same reason.
  std::uint32_t largest = 0;
  std::int32_t least = ordered(std::bit_cast<std::int32_t>(bounds.least));
  std::int32_t most = ordered(std::bit_cast<std::int32_t>(bounds.most));
  for (const float v : values) {
    const auto bits = std::bit_cast<std::int32_t>(v);
    const std::uint32_t magnitude = static_cast<std::uint32_t>(bits) & kMagnitude;
    largest = std::max(largest, magnitude);
    const std::int32_t finite = magnitude < kInfinityBits ? ordered(bits) : 0;
    least = std::min(least, finite);
    most = std::max(most, finite);
  }
  bounds = {number(least), number(most)};
  return largest < kInfinityBits;
}

Bounds both(const Bounds& a, const Bounds& b) {
  return {std::min(a.least, b.least), std::max(a.most, b.most)};
}

bool all_whole(std::span<const float> values) {
  return std::ranges::all_of(
      values, [](float v) { return !std::isfinite(v) || (std::abs(v) < kMostWhole && v == std::round(v)); });
}

}  // namespace

BandSummary::BandSummary(const Shape& whole, Summary before)
    : whole_(whole),
      before_(std::move(before)),
      summary_{.matrices = std::vector<Bounds>(whole.stack)},
      largest_(whole.stack * blocks_in(whole.rows) * blocks_in(whole.columns), kMaskedTexel) {
  for (std::size_t level = 0; before_.pools && level < before_.pools->levels.size(); ++level)
    if (before_.pools->levels[level].block == kCoarseBlock) largest_ = before_.pools->levels[level].bits;
}

void BandSummary::add(std::size_t first, const Tensor& blocks) {
  const std::size_t across = blocks_in(whole_.columns);
  for (std::size_t matrix = 0; matrix < whole_.stack; ++matrix) {
    Bounds& bounds = summary_.matrices[matrix];
    const std::size_t at = (matrix * blocks_in(whole_.rows) + first / kCoarseBlock) * across;
    for (std::size_t row = 0; row < blocks.rows(); ++row)
      for (std::size_t block = 0; block < across; ++block) {
        const auto of = [&](BlockFigure figure) { return blocks[{matrix, row, figure * across + block}]; };
        const auto kinds = static_cast<int>(of(kBlockKinds));
        largest_[at + row * across + block] =
            kinds & kAllMasked ? kMaskedTexel : texel_bits(of(kBlockLargest));
        bounds = both(bounds, {of(kBlockLeast), of(kBlockMost)});
        summary_.finite = summary_.finite && !(kinds & kSomeNotFinite);
        summary_.whole = summary_.whole && !(kinds & kSomeNotWhole);
      }
    summary_.all = both(summary_.all, bounds);
  }
}

Summary BandSummary::seen(std::size_t rows) const {
  Summary seen = summary_;
  if (rows < whole_.rows && before_.pools) {
    seen.of_before = rows;
    for (std::size_t i = 0; i < seen.matrices.size(); ++i)
      seen.matrices[i] = both(seen.matrices[i], before_.matrices[i]);
    seen.all = both(seen.all, before_.all);
  }
  seen.pools = pools_of_blocks(whole_, largest_);
  return seen;
}

Summary summarize(const Tensor& values, const Tensor& mask, bool pooled) {
  Summary s;
  const Shape shape = values.shape();
  const std::size_t size = shape.rows * shape.columns;
  for (std::size_t matrix = 0; matrix < shape.stack; ++matrix) {
    Bounds& bounds = s.matrices.emplace_back();
    std::span<const float> rest = values.values().subspan(matrix * size, size);
    while (!rest.empty()) {
      const auto chunk = rest.first(std::min(kChunk, rest.size()));
      rest = rest.subspan(chunk.size());
      s.finite = widen(bounds, chunk) && s.finite;
      s.whole = s.whole && all_whole(chunk);
    }
    s.all = both(s.all, bounds);
  }
  if (pooled) s.pools = make_pools(values, mask);
  return s;
}

}  // namespace attn
