// One pass over a tensor's numbers, in loops that compilers turn into vector instructions.
#include "core/evaluate/summary.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

namespace attn {
namespace {

constexpr std::uint32_t kInfinityBits = 0x7f800000, kMagnitude = 0x7fffffff;
constexpr float kMostWhole = 1000;
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

bool all_whole(std::span<const float> values) {
  return std::ranges::all_of(
      values, [](float v) { return !std::isfinite(v) || (std::abs(v) < kMostWhole && v == std::round(v)); });
}

}  // namespace

void merge(Summary& summary, const Summary& of_rows) {
  const auto widened = [](const Bounds& a, const Bounds& b) {
    return Bounds{std::min(a.least, b.least), std::max(a.most, b.most)};
  };
  summary.matrices.resize(of_rows.matrices.size());
  for (std::size_t i = 0; i < of_rows.matrices.size(); ++i)
    summary.matrices[i] = widened(summary.matrices[i], of_rows.matrices[i]);
  summary.all = widened(summary.all, of_rows.all);
  summary.finite = summary.finite && of_rows.finite;
  summary.whole = summary.whole && of_rows.whole;
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
    s.all = {std::min(s.all.least, bounds.least), std::max(s.all.most, bounds.most)};
  }
  if (pooled) s.pools = make_pools(values, mask);
  return s;
}

}  // namespace attn
