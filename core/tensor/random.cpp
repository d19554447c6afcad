// SplitMix64 (https://prng.di.unimi.it/splitmix64.c) with its state computed from a counter, not stepped.
#include "core/tensor/random.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace attn {
namespace {

constexpr double kRange = 0x1p24;  // of 24 bits: a float holds every n ÷ 2^24 exactly

}  // namespace

// Kernels repeat this bit for bit; sessions keep seeds, so it may never change.
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
  // Between the numbers of the grid: never 0, whose logarithm is −∞.
  const auto uniform = [&](std::uint64_t i) { return (random_bits(seed, i) + 0.5) / kRange; };
  const double radius = std::sqrt(-2 * std::log(uniform(2 * e)));
  return static_cast<float>(radius * std::cos(2 * std::numbers::pi * uniform(2 * e + 1)));
}

void NormalStreams::draw(std::uint64_t seed, std::size_t first, std::span<float> normals) {
  const std::size_t end = first + normals.size();
  if (end > kMostKept) {
    for (float& normal : normals) normal = random_normal(seed, first++);
    return;
  }
  if (kept_.size() == kMostSeeds && !kept_.contains(seed)) kept_.clear();
  std::vector<float>& kept = kept_[seed];
  while (kept.size() < end) kept.push_back(random_normal(seed, kept.size()));
  std::ranges::copy(std::span(kept).subspan(first, normals.size()), normals.begin());
}

}  // namespace attn
