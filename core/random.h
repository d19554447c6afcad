// Random numbers that depend on a seed and a counter alone, so that they can be had anywhere, in any order,
// and are the same on every machine and device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace attn {

// The 24 random bits of number `e`: the finalizer of SplitMix64 (Steele, Lea, Flood 2014) over a counter.
std::uint32_t random_bits(std::uint64_t seed, std::uint64_t e);

// From [0, 1).
float random_uniform(std::uint64_t seed, std::uint64_t e);

// From N(0, 1): Box and Muller (1958) over numbers 2e and 2e + 1.
float random_normal(std::uint64_t seed, std::uint64_t e);

// The numbers 0 … count − 1 of it, or more of them. Those of the seeds asked for last are kept for the next
// to ask, up to kMostKept of a seed. For any thread.
std::shared_ptr<const std::vector<float>> random_normals(std::uint64_t seed, std::size_t count);
inline constexpr std::size_t kMostKept = std::size_t{1} << 17;

}  // namespace attn
