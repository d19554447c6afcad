#include "app/host/heatmap_texels.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

#include "core/operations/matmul.h"

namespace attn {
namespace {

constexpr std::uint32_t kMagnitude = 0x7fffffff;

struct Source {
  std::span<const float> values, mask;  // of one matrix; an empty mask masks nothing
  std::size_t rows, columns;

  std::uint32_t bits(std::size_t i) const {
    if (!mask.empty() && mask[i] != 0) return kMaskedTexel;
    const float value = values[i];
    return std::bit_cast<std::uint32_t>(std::isnan(value) ? std::numeric_limits<float>::quiet_NaN() : value);
  }
};

Source source_of(const Tensor& values, const Tensor& mask, std::size_t head) {
  const Shape shape = values.shape();
  const std::size_t size = shape.rows * shape.columns;
  Source source{values.values().subspan(head * size, size), {}, shape.rows, shape.columns};
  if (mask.empty()) return source;
  assert(mask.rows() == shape.rows && mask.columns() == shape.columns);
  const bool shared = shape.stack % mask.stack() == 0;
  const std::size_t matrix = shared ? shared_matrix(head, mask.stack(), shape.stack) : 0;
  source.mask = mask.values().subspan(matrix * size, size);
  return source;
}

// Magnitudes order as their bits do: finite, infinite, NaN. Masked comes last.
std::uint32_t rank(std::uint32_t bits) {
  return bits == kMaskedTexel ? 0 : (bits & kMagnitude) + 1;
}

// Where the cells that texel `t` of `count` touches begin, of `cells` in a line; they end before end_of.
std::size_t begin_of(std::size_t t, std::size_t count, std::size_t cells) {
  return t * cells / count;
}
std::size_t end_of(std::size_t t, std::size_t count, std::size_t cells) {
  return ((t + 1) * cells + count - 1) / count;
}

// Pools one row of cells into a row of texels.
void pool_row(const Source& source, std::size_t row, std::span<std::uint32_t> texels) {
  for (std::size_t x = 0; x < texels.size(); ++x) {
    const std::size_t end = end_of(x, texels.size(), source.columns);
    for (std::size_t column = begin_of(x, texels.size(), source.columns); column < end; ++column) {
      const std::uint32_t bits = source.bits(row * source.columns + column);
      if (rank(bits) > rank(texels[x])) texels[x] = bits;
    }
  }
}

}  // namespace

bool Texels::all_finite() const {
  constexpr std::uint32_t kInfinity = 0x7f800000;
  return std::ranges::none_of(bits, [](std::uint32_t b) { return (b & kInfinity) == kInfinity; });
}

Texels make_texels(const Tensor& values, const Tensor& mask, std::size_t head, std::size_t width,
                   std::size_t height) {
  const Source source = source_of(values, mask, head);
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

}  // namespace attn
