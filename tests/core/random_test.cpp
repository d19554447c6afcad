// Random numbers by counter, and those that are kept.
#include "core/tensor/random.h"

#include <doctest/doctest.h>

#include <vector>

using namespace attn;

namespace {

void check_normals(NormalStreams& streams, std::uint64_t seed, std::size_t first, std::size_t count) {
  std::vector<float> normals(count, -1000);
  streams.draw(seed, first, normals);
  INFO("seed ", seed, ", ", count, " numbers from ", first);
  std::size_t other = 0;
  for (std::size_t i = 0; i < count; ++i) other += normals[i] == random_normal(seed, first + i) ? 0 : 1;
  CHECK(other == 0);
}

}  // namespace

TEST_CASE("normals that are kept are those of the counter whatever was asked for before") {
  constexpr std::size_t kMost = NormalStreams::kMostKept;
  NormalStreams streams;
  for (const std::size_t count : {5u, 0u, 100u, 17u, 4096u, 1u}) check_normals(streams, 3, 0, count);
  for (const std::size_t first : {4000u, 20u, 6000u}) check_normals(streams, 3, first, 200);
  // More seeds than are kept, and then those that had to leave.
  for (int round = 0; round < 2; ++round)
    for (std::uint64_t seed = 0; seed < 2 * NormalStreams::kMostSeeds + 8; ++seed)
      check_normals(streams, seed, 0, 10 + static_cast<std::size_t>(seed));
  for (const std::size_t count : {kMost, kMost + 1, std::size_t{3}, kMost})
    check_normals(streams, 7, 0, count);
  check_normals(streams, 7, kMost - 1, 1);
  check_normals(streams, 7, kMost - 1, 2);
  check_normals(streams, 8, std::size_t{1} << 40, 2);
}
