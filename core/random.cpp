// SplitMix64 (https://prng.di.unimi.it/splitmix64.c) with its state computed from a counter, not stepped.
#include "core/random.h"

#include <algorithm>
#include <cmath>
#include <list>
#include <mutex>
#include <numbers>

namespace attn {
namespace {

constexpr double kRange = 0x1p24;  // of 24 bits: a float holds every n ÷ 2^24 exactly
constexpr std::size_t kSeedsKept = 16;

struct KeptStream {
  std::uint64_t seed;
  std::shared_ptr<const std::vector<float>> normals;
};

}  // namespace

// shaders/dropout.cl repeats this bit for bit; sessions keep seeds, so it may never change.
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

std::shared_ptr<const std::vector<float>> random_normals(std::uint64_t seed, std::size_t count) {
  static std::mutex mutex;
  static std::list<KeptStream> kept;  // the last that was asked for first
  const std::lock_guard lock(mutex);
  auto found = std::ranges::find(kept, seed, &KeptStream::seed);
  if (found == kept.end()) found = kept.insert(kept.begin(), {seed, std::make_shared<std::vector<float>>()});
  kept.splice(kept.begin(), kept, found);
  if (kept.size() > kSeedsKept) kept.pop_back();
  auto normals = found->normals;
  if (normals->size() >= count) return normals;
  auto longer = std::make_shared<std::vector<float>>(*normals);
  longer->reserve(count);
  while (longer->size() < count) longer->push_back(random_normal(seed, longer->size()));
  if (count <= kMostKept) found->normals = longer;
  return longer;
}

}  // namespace attn
