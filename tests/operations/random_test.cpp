// Philox against its published vectors; random products against sums made number by number; their moments.
#include "core/operations/random.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/reference/backend.h"
#include "core/system/error.h"
#include "core/tensor/philox.h"

using namespace attn;

namespace {

using Words = std::array<std::uint32_t, 4>;

std::vector<double> products(RandomProducts op, std::vector<Tensor64> inputs = {}) {
  const Tensor64 result = run_in_double(op, inputs);
  return {result.values().begin(), result.values().end()};
}

}  // namespace

// The lines "philox4x32 10" of kat_vectors, which comes with Random123, the authors' own library.
TEST_CASE("Philox gives the published numbers") {
  CHECK(philox({0, 0, 0, 0}, {0, 0}) == Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  const std::uint32_t all = 0xffffffff;
  CHECK(philox({all, all, all, all}, {all, all}) == Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("normals are finite from the smallest word and from the largest") {
  for (const std::uint32_t word : {0u, 0xffffffffu})
    for (const double number : philox_normals({word, word, word, word})) CHECK(std::isfinite(number));
  // The smallest u is 2^−24: the largest radius is √(48·ln 2).
  CHECK(philox_normals({0, 0, 0, 0})[0] == doctest::Approx(std::sqrt(48 * std::log(2.0))));
}

TEST_CASE("normals of one block are those of Box and Muller") {
  const Words words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
  const auto normals = philox_normals(words);
  const double pi = std::acos(-1.0);
  for (std::size_t pair = 0; pair < 2; ++pair) {
    const double u = (words[2 * pair] / 512 + 0.5) / 8388608, v = (words[2 * pair + 1] / 512 + 0.5) / 8388608;
    CHECK(normals[2 * pair] == doctest::Approx(std::sqrt(-2 * std::log(u)) * std::cos(2 * pi * v)));
    CHECK(normals[2 * pair + 1] == doctest::Approx(std::sqrt(-2 * std::log(u)) * std::sin(2 * pi * v)));
  }
}

TEST_CASE("a product of random vectors is the sum over its dimensions") {
  const RandomProducts op{.seed = 0x123456789abcdef0, .first = 6, .count = 9, .rows = 3, .keys = 5};
  const std::vector<double> y = products(op);
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t j = 0; j < 5; ++j) {
      double sum = 0;
      for (std::size_t i = 6; i < 15; ++i)
        sum += random_block(op.seed, i / 4, row, 0)[i % 4] * random_block(op.seed, i / 4, row, 1 + j)[i % 4];
      CHECK(y[5 * row + j] == doctest::Approx(sum).epsilon(1e-12));
    }
}

TEST_CASE("chunks of dimensions added one to another are the whole product") {
  const auto chunk = [](std::size_t first, std::size_t count) {
    return RandomProducts{.seed = 7, .first = first, .count = count, .rows = 4, .keys = 6};
  };
  const std::vector<double> whole = products(chunk(0, 43));
  std::vector<Tensor64> before;
  std::size_t first = 0;
  for (const std::size_t count : {1, 2, 5, 8, 27}) {
    before = {run_in_double(chunk(first, count), before)};
    first += count;
  }
  for (std::size_t i = 0; i < whole.size(); ++i)
    CHECK(before[0].values()[i] == doctest::Approx(whole[i]).epsilon(1e-12));
}

TEST_CASE("another seed and another row draw other numbers") {
  const auto first = [](std::uint64_t seed) {
    return products({.seed = seed, .first = 0, .count = 4, .rows = 2, .keys = 2});
  };
  const auto a = first(7), b = first(8), c = first(7 + (std::uint64_t{1} << 32));
  CHECK(a != b);
  CHECK(a != c);
  CHECK(a[0] != a[2]);
  CHECK(a[0] != a[1]);
}

TEST_CASE("100000 products of vectors of width d have the standard deviation root d within 3 percent" *
          doctest::test_suite("unsanitized")) {
  std::vector<Tensor64> before;
  std::size_t first = 0;
  for (const std::size_t width : {1, 4, 16, 64, 128}) {
    before = {run_in_double(
        RandomProducts{.seed = 7, .first = first, .count = width - first, .rows = 6250, .keys = 16}, before)};
    first = width;
    double sum = 0, squares = 0;
    for (const double x : before[0].values()) sum += x, squares += x * x;
    const double count = 100000, mean = sum / count, root = std::sqrt(static_cast<double>(width));
    CHECK(std::sqrt(squares / count - mean * mean) / root == doctest::Approx(1).epsilon(0.03));
    CHECK(std::abs(mean) < 0.02 * root);
  }
}

TEST_CASE("more dimensions at once than a device keeps are refused") {
  CHECK_THROWS_AS(result_shape(RandomProducts{.count = 65, .rows = 1, .keys = 1}, {}), Error);
}
