// The strongest links of large matrices of weights, found with the results: a frame reads none of the others.
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "core/summary.h"

namespace attn {
namespace {

using Link = Strongest::Link;

constexpr std::size_t kChunk = 64;  // numbers between two looks whether one of them is strong

// The larger first; of equal ones the first of the matrix.
bool is_stronger(const Link& a, const Link& b) {
  if (a.value != b.value) return a.value > b.value;
  return a.row != b.row ? a.row < b.row : a.column < b.column;
}

// What is not finite is no link: it shows in the matrix.
bool is_link(float value) {
  return value > 0 && std::isfinite(value);
}

// In a loop that compilers turn into vector instructions; NaN is never larger.
float largest(std::span<const float> values) {
  float most = 0;
  for (const float v : values) most = v > most ? v : most;
  return most;
}

// The strongest links so far, the weakest of them on top.
class Kept {
 public:
  bool takes(float value) const { return heap_.size() < kMostLinks || value > heap_.front().value; }
  void add(const Link& link) {
    if (heap_.size() == kMostLinks) {
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
  std::vector<Link> heap_;
};

// Adds what is strong of a row; its largest, if it has a link at all.
std::optional<Link> read_row(std::span<const float> row, std::size_t index, Kept& kept) {
  std::optional<Link> best;
  for (std::size_t begin = 0; begin < row.size(); begin += kChunk) {
    const auto chunk = row.subspan(begin, std::min(kChunk, row.size() - begin));
    const float most = largest(chunk);
    if (most == 0 || (best && most <= best->value && !kept.takes(most))) continue;
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      if (!is_link(chunk[i])) continue;
      const Link link{index, begin + i, chunk[i]};
      if (!best || link.value > best->value) best = link;
      if (kept.takes(link.value)) kept.add(link);
    }
  }
  return best;
}

// The largest of every row; where there is room for more, of all others the largest.
Strongest strongest_of(std::span<const float> values, std::size_t rows, std::size_t columns) {
  Strongest found;
  Kept kept;
  for (std::size_t row = 0; row < rows; ++row)
    if (const auto best = read_row(values.subspan(row * columns, columns), row, kept))
      found.links.push_back(*best);
  std::ranges::sort(found.links, is_stronger);
  found.links.resize(std::min(found.links.size(), kMostLinks));
  const auto is_known = [known = found.links](const Link& link) {
    return std::ranges::any_of(known,
                               [&](const Link& k) { return k.row == link.row && k.column == link.column; });
  };
  for (const Link& link : kept.take())
    if (found.links.size() < kMostLinks && !is_known(link)) found.links.push_back(link);
  std::ranges::sort(found.links, is_stronger);
  found.of = static_cast<std::size_t>(std::ranges::count_if(values, [](float v) { return v > 0; }));
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
