// How far the numbers of one array lie from those of another of its shape: what two layers are compared by.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace attn {

struct ArrayDifference {
  double largest = 0;      // |b − a|; ∞ where NaN or ∞ in one is not the same in the other
  std::size_t at = 0;      // where, in row-major order
  double mean = 0;         // of |b − a| over the numbers where it is finite
  std::size_t beyond = 0;  // numbers that differ by more than the tolerance
  std::size_t first = 0;   // of those
};

// `tolerance`: what |b − a| may be; without one accepted_distance of a (core/checks/comparison.h), what
// rounding in float32 may explain. Both have as many numbers.
ArrayDifference difference(std::span<const float> a, std::span<const float> b,
                           std::optional<double> tolerance = {});

// b − a, number by number: 0 where they are the same, equal infinities and two NaN among them.
std::vector<float> differences(std::span<const float> a, std::span<const float> b);

// ‖of − from‖ ÷ ‖from‖, of all their numbers as one vector; both have as many.
double relative_distance(std::span<const float> of, std::span<const float> from);

}  // namespace attn
