// Counter-based random numbers.
#include "core/random.h"

#include <cmath>
#include <numbers>

namespace attn {
namespace {

constexpr double kRange = 0x1p24;

}  // namespace

std::uint32_t random_bits(std::uint64_t seed, std::uint64_t e) {
  std::uint64_t z = seed + (e + 1) * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return static_cast<std::uint32_t>((z ^ (z >> 31)) >> 40);
}

float random_uniform(std::uint64_t seed, std::uint64_t e) {
  return static_cast<float>(random_bits(seed, e) / kRange);
}

float random_normal(std::uint64_t seed, std::uint64_t e) {
  const auto uniform = [&](std::uint64_t i) { return (random_bits(seed, i) + 0.5) / kRange; };
  const double radius = std::sqrt(-2 * std::log(uniform(2 * e)));
  return static_cast<float>(radius * std::cos(2 * std::numbers::pi * uniform(2 * e + 1)));
}

}  // namespace attn
