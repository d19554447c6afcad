// One pass over a tensor's numbers, in loops that compilers turn into vector instructions.
#include "core/summary.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

namespace attn {
namespace {

constexpr std::uint32_t kInfinity = 0x7f800000, kMagnitude = 0x7fffffff;
constexpr float kMostWhole = 1000;
constexpr std::size_t kChunk = 4096;  // numbers between two looks whether all were whole

// Widens the bounds; whether all numbers are finite. Those that are not count as 0.
bool widen(Bounds& bounds, std::span<const float> values) {
  // Magnitudes are compared as integers, and the loop never ends early: a branch would keep it from vectors.
  std::uint32_t largest = 0;
  float least = bounds.least, most = bounds.most;
  for (const float v : values) {
    const std::uint32_t magnitude = std::bit_cast<std::uint32_t>(v) & kMagnitude;
    largest = std::max(largest, magnitude);
    const float finite = magnitude < kInfinity ? v : 0.0f;
    least = std::min(least, finite);
    most = std::max(most, finite);
  }
  bounds = {least, most};
  return largest < kInfinity;
}

bool all_whole(std::span<const float> values) {
  return std::ranges::all_of(
      values, [](float v) { return !std::isfinite(v) || (std::abs(v) < kMostWhole && v == std::round(v)); });
}

}  // namespace

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
    s.all = {std::min(s.all.least, bounds.least), std::max(s.all.most, bounds.most)};
  }
  if (pooled) s.pools = make_pools(values, mask);
  return s;
}

}  // namespace attn
