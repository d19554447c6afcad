// Differences number by number, and the largest of them.
#include "core/checks/array_difference.h"

#include <cassert>
#include <cmath>

#include "core/checks/comparison.h"

namespace attn {

ArrayDifference difference(std::span<const float> a, std::span<const float> b,
                           std::optional<double> tolerance) {
  assert(a.size() == b.size());
  ArrayDifference result;
  double sum = 0;
  std::size_t finite = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double off = distance(a[i], b[i]);
    if (off > result.largest) result.largest = off, result.at = i;
    if (std::isfinite(off)) sum += off, ++finite;
    // Of an infinite number nothing is accepted but the same.
    const double accepted = tolerance ? *tolerance : std::isfinite(a[i]) ? accepted_distance(a[i]) : 0;
    if (off > accepted && result.beyond++ == 0) result.first = i;
  }
  if (finite > 0) result.mean = sum / static_cast<double>(finite);
  return result;
}

std::vector<float> differences(std::span<const float> a, std::span<const float> b) {
  assert(a.size() == b.size());
  std::vector<float> result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = distance(a[i], b[i]) == 0 ? 0.0f : b[i] - a[i];
  return result;
}

double relative_distance(std::span<const float> of, std::span<const float> from) {
  assert(of.size() == from.size());
  double moved = 0, length = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const auto a = static_cast<double>(of[i]), b = static_cast<double>(from[i]);
    moved += (a - b) * (a - b), length += b * b;
  }
  return std::sqrt(moved / length);
}

}  // namespace attn
