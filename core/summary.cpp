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

struct Extent {
  float least = 0, most = 0;
  bool finite = true;
};

// Numbers that are not finite count as 0.
Extent extent_of(std::span<const float> values) {
  Extent e;
  std::uint32_t largest = 0;
  for (const float v : values) {
    const std::uint32_t magnitude = std::bit_cast<std::uint32_t>(v) & kMagnitude;
    largest = std::max(largest, magnitude);
    const float finite = magnitude < kInfinity ? v : 0.0f;
    e.least = std::min(e.least, finite);
    e.most = std::max(e.most, finite);
  }
  e.finite = largest < kInfinity;
  return e;
}

bool all_whole(std::span<const float> values) {
  return std::ranges::all_of(values, [](float v) {
    return !std::isfinite(v) || (std::abs(v) < kMostWhole && v == std::round(v));
  });
}

}  // namespace

Summary summarize(const Tensor& values, const Tensor& mask, bool pooled) {
  Summary s;
  std::span<const float> rest = values.values();
  while (!rest.empty()) {
    const auto chunk = rest.first(std::min(kChunk, rest.size()));
    rest = rest.subspan(chunk.size());
    const Extent e = extent_of(chunk);
    s.least = std::min(s.least, e.least);
    s.most = std::max(s.most, e.most);
    s.finite = s.finite && e.finite;
    s.whole = s.whole && all_whole(chunk);
  }
  if (pooled) s.pools = make_pools(values, mask);
  return s;
}

}  // namespace attn
