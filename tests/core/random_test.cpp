// Random numbers by counter, and those that are kept.
#include "core/random.h"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

using namespace attn;

namespace {

void check_normals(std::uint64_t seed, std::size_t count) {
  const auto normals = random_normals(seed, count);
  INFO("seed ", seed, ", ", count, " numbers");
  REQUIRE(normals->size() >= count);
  std::size_t other = 0;
  for (std::size_t e = 0; e < count; ++e) other += (*normals)[e] == random_normal(seed, e) ? 0 : 1;
  CHECK(other == 0);
}

}  // namespace

TEST_CASE("normals that are kept are those of the counter whatever was asked for before") {
  for (const std::size_t count : {5u, 0u, 100u, 17u, 4096u, 1u}) check_normals(3, count);
  // More seeds than are kept, and then those that had to leave.
  for (int round = 0; round < 2; ++round)
    for (std::uint64_t seed = 0; seed < 40; ++seed) check_normals(seed, 10 + static_cast<std::size_t>(seed));
  for (const std::size_t count : {kMostKept, kMostKept + 1, std::size_t{3}, kMostKept})
    check_normals(7, count);
}

TEST_CASE("normals may be asked for by several threads") {
  std::vector<std::thread> threads;
  std::atomic<std::size_t> wrong = 0;
  for (std::uint64_t thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      for (std::uint64_t i = 0; i < 200; ++i) {
        const std::uint64_t seed = (i * 7 + thread) % 20;
        const std::size_t last = static_cast<std::size_t>(i % 50);
        const auto normals = random_normals(seed, last + 1);
        wrong += (*normals)[last] == random_normal(seed, last) ? 0 : 1;
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}
