// The strongest links of large matrices of weights, found with the results: a frame reads none of the others.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>

#include "core/evaluate/summary.h"

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

// The strongest links so far, the weakest of them on top.
class LinkHeap {
 public:
  explicit LinkHeap(std::size_t most) : most_(most) {}
  bool takes(float value) const { return value > (heap_.size() < most_ ? 0 : heap_.front().value); }
  void add(const Link& link) {
    if (heap_.size() == most_) {
      if (!is_stronger(link, heap_.front())) return;
      std::ranges::pop_heap(heap_, is_stronger);
      heap_.pop_back();
    }
    heap_.push_back(link);
    std::ranges::push_heap(heap_, is_stronger);
  }
  std::vector<Link> take() {
    std::ranges::sort(heap_, is_stronger);
    return std::move(heap_);
  }

 private:
  std::size_t most_;  // at least 1
  std::vector<Link> heap_;
};

// Adds what is strong of a row, but for its largest.
void read_row(std::span<const float> row, std::size_t index, std::optional<std::size_t> best,
              LinkHeap& kept) {
  for (std::size_t begin = 0; begin < row.size(); begin += kScanned) {
    const auto chunk = row.subspan(begin, std::min(kScanned, row.size() - begin));
    if (!kept.takes(largest_link(chunk))) continue;
    for (std::size_t i = 0; i < chunk.size(); ++i)
      if (is_link(chunk[i]) && begin + i != best && kept.takes(chunk[i]))
        kept.add({index, begin + i, chunk[i]});
  }
}

// The largest of every row; where there is room for more, of all others the largest.
Strongest strongest_of(std::span<const float> values, std::size_t rows, std::size_t columns) {
  Strongest found;
  const auto row_of = [&](std::size_t row) { return values.subspan(row * columns, columns); };
  std::vector<std::optional<std::size_t>> best(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    const float most = largest_link(row_of(row));
    if (most == 0) continue;
    best[row] = static_cast<std::size_t>(std::ranges::find(row_of(row), most) - row_of(row).begin());
    found.links.push_back({row, *best[row], most});
  }
  std::ranges::sort(found.links, is_stronger);
  if (found.links.size() < kMostLinks) {
    LinkHeap kept(kMostLinks - found.links.size());
    for (std::size_t row = 0; row < rows; ++row) read_row(row_of(row), row, best[row], kept);
    std::ranges::copy(kept.take(), std::back_inserter(found.links));
    std::ranges::sort(found.links, is_stronger);
  }
  found.links.resize(std::min(found.links.size(), kMostLinks));
  for (std::size_t row = 0; row < rows; ++row) found.of += count_positive(row_of(row));
  return found;
}

}  // namespace

std::vector<Strongest> strongest_of(const Tensor& weights) {
  const Shape shape = weights.shape();
  const std::size_t size = shape.rows * shape.columns;
  std::vector<Strongest> found;
  if (size <= kManyLinks) return found;
  for (std::size_t matrix = 0; matrix < shape.stack; ++matrix)
    found.push_back(strongest_of(weights.values().subspan(matrix * size, size), shape.rows, shape.columns));
  return found;
}

}  // namespace attn
