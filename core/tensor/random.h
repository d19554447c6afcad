// Random numbers that depend on a seed and a counter alone, so that they can be had anywhere, in any order,
// and are the same on every machine and device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace attn {

// The 24 random bits of number `e`: the finalizer of SplitMix64 (Steele, Lea, Flood 2014) over a counter.
std::uint32_t random_bits(std::uint64_t seed, std::uint64_t e);

// From [0, 1).
float random_uniform(std::uint64_t seed, std::uint64_t e);

// From N(0, 1): Box and Muller (1958) over numbers 2e and 2e + 1.
float random_normal(std::uint64_t seed, std::uint64_t e);

// Numbers of it that are kept for the next to ask: up to kMostKept of a seed, for kMostSeeds of them, 8 MiB.
class NormalStreams {
 public:
  static constexpr std::size_t kMostKept = std::size_t{1} << 17, kMostSeeds = 16;

  // The numbers from `first` on, as many as `normals` has room for.
  void draw(std::uint64_t seed, std::size_t first, std::span<float> normals);

 private:
  std::map<std::uint64_t, std::vector<float>> kept_;  // by seed
};

}  // namespace attn
