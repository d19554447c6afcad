// Gradients against central differences in double: of L = Σ G⊙Y, by every number of an input.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/reference/backend.h"
#include "core/tensor/random.h"

namespace attn::tests {

inline Tensor64 random_in_double(Shape shape, std::uint64_t seed) {
  std::vector<double> values(shape.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = random_normal(seed, i);
  return {shape, std::move(values)};
}

inline double weighted_sum(const Tensor64& y, const Tensor64& g) {
  double sum = 0;
  for (std::size_t i = 0; i < y.values().size(); ++i) sum += y.values()[i] * g.values()[i];
  return sum;
}

// That `gradient` is what flows back to input number `input` when `g` flows into the result: to within 1e-6
// of the number, or of a thousandth of the largest.
inline void check_differences(const Operation& forward, std::vector<Tensor64> inputs, std::size_t input,
                              const Tensor64& g, const Tensor64& gradient) {
  constexpr double kStep = 1e-5;
  const Tensor64 at = inputs[input];
  REQUIRE(gradient.shape() == at.shape());
  double largest = 0;
  for (const double number : gradient.values()) largest = std::max(largest, std::abs(number));
  CHECK(largest > 0);
  for (std::size_t i = 0; i < at.values().size(); ++i) {
    const auto moved = [&](double by) {
      std::vector<double> values(at.values().begin(), at.values().end());
      values[i] += by;
      inputs[input] = Tensor64(at.shape(), std::move(values));
      return weighted_sum(run_in_double(forward, inputs), g);
    };
    const double difference = (moved(kStep) - moved(-kStep)) / (2 * kStep), number = gradient.values()[i];
    INFO("number ", i, ": ", number, ", the difference ", difference);
    CHECK(std::abs(number - difference) <=
          1e-6 * std::max({std::abs(number), std::abs(difference), 1e-3 * largest}));
  }
}

}  // namespace attn::tests
