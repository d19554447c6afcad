// The strongest links of large matrices of weights, found with the results, or with their checks: a frame
// reads none of the others.
#include "core/evaluate/strongest.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

namespace attn {
namespace {

using Link = Strongest::Link;

constexpr std::size_t kScanned = 64;  // numbers between two looks whether one of them is strong

// The larger first; of equal ones the first of the matrix.
bool is_stronger(const Link& a, const Link& b) {
  if (a.value != b.value) return a.value > b.value;
  return a.row != b.row ? a.row < b.row : a.column < b.column;
}

// Numbers above 0 order as their bits do, all of them below those of ∞ and NaN; what is negative has negative
// bits. In integers, because a comparison of numbers that may be NaN keeps a loop from vectors.
std::int32_t largest_bits(std::span<const float> values) {
  std::int32_t most = 0;
  for (const float v : values) most = std::max(most, std::bit_cast<std::int32_t>(v));
  return most;
}

constexpr std::int32_t kInfinityBits = 0x7f800000;

// What is not finite is no link: it shows in the matrix.
bool is_link(float value) {
  return value > 0 && std::isfinite(value);
}

// The largest of these that is a link; 0: none is.
float largest_link(std::span<const float> values) {
  if (const std::int32_t bits = largest_bits(values); bits < kInfinityBits) return std::bit_cast<float>(bits);
  float most = 0;
  for (const float v : values)
    if (is_link(v)) most = std::max(most, v);
  return most;
}

std::size_t count_positive(std::span<const float> values) {
  std::uint32_t count = 0;  // as narrow as a number, for the same reason
  for (const float v : values) count += v > 0 ? 1u : 0u;
  return count;
}

bool takes(const std::vector<Link>& heap, float value) {
  return value > (heap.size() < kMostLinks ? 0 : heap.front().value);
}

void keep(std::vector<Link>& heap, const Link& link) {
  if (heap.size() == kMostLinks) {
    if (!is_stronger(link, heap.front())) return;
    std::ranges::pop_heap(heap, is_stronger);
    heap.pop_back();
  }
  heap.push_back(link);
  std::ranges::push_heap(heap, is_stronger);
}

// Adds what is strong of a row, but for its largest.
void keep_others(std::span<const float> row, std::size_t index, std::size_t best, std::vector<Link>& heap) {
  for (std::size_t begin = 0; begin < row.size(); begin += kScanned) {
    const auto chunk = row.subspan(begin, std::min(kScanned, row.size() - begin));
    if (!takes(heap, largest_link(chunk))) continue;
    for (std::size_t i = 0; i < chunk.size(); ++i)
      if (is_link(chunk[i]) && begin + i != best && takes(heap, chunk[i]))
        keep(heap, {index, begin + i, chunk[i]});
  }
}

}  // namespace

void StrongestLinks::add(std::span<const float> row, std::size_t index) {
  of_ += count_positive(row);
  const float most = largest_link(row);
  if (most == 0) return;
  const auto best = static_cast<std::size_t>(std::ranges::find(row, most) - row.begin());
  if (largest_.size() < kMostLinks) keep_others(row, index, best, others_);
  keep(largest_, {index, best, most});
}

Strongest StrongestLinks::seen() const {
  std::vector<Link> links = largest_, others = others_;
  std::ranges::sort(others, is_stronger);
  others.resize(std::min(others.size(), kMostLinks - links.size()));
  links.insert(links.end(), others.begin(), others.end());
  std::ranges::sort(links, is_stronger);
  return {std::move(links), of_};
}

std::vector<Strongest> strongest_of(const Tensor& weights) {
  const Shape shape = weights.shape();
  std::vector<Strongest> found;
  if (shape.rows * shape.columns <= kManyLinks) return found;
  for (std::size_t matrix = 0; matrix < shape.stack; ++matrix) {
    StrongestLinks links;
    for (std::size_t row = 0; row < shape.rows; ++row)
      links.add(weights.values().subspan((matrix * shape.rows + row) * shape.columns, shape.columns), row);
    found.push_back(links.seen());
  }
  return found;
}

}  // namespace attn
