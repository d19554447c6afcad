// Sinusoidal and learned encodings: what is true of every row, near and far.
#include <doctest/doctest.h>

#include <cmath>

#include "core/reference/backend.h"
#include "core/system/error.h"
#include "tests/devices.h"

using namespace attn;

namespace {

Tensor64 in_double(const SinusoidalEncoding& op) {
  return run_in_double(op, {});
}

double norm(const Tensor64& t, std::size_t row) {
  double sum = 0;
  for (std::size_t j = 0; j < t.columns(); ++j) sum += t[{0, row, j}] * t[{0, row, j}];
  return std::sqrt(sum);
}

}  // namespace

TEST_CASE("every row of the sinusoidal encoding of even width is as long as the root of half the width") {
  for (const std::size_t d : {2u, 4u, 64u, 512u})
    for (const double base : {1.0, 10000.0, 1e9})
      for (const std::size_t first : {0u, 100000u}) {
        const Tensor64 rows = in_double({.rows = 5, .columns = d, .base = base, .first = first});
        for (std::size_t p = 0; p < 5; ++p)
          CHECK(std::abs(norm(rows, p) - std::sqrt(static_cast<double>(d) / 2)) <= 1e-13 * std::sqrt(d));
      }
  CHECK(std::abs(norm(in_double({.rows = 1, .columns = 64}), 0) - 5.65685) <= 5e-6);
}

TEST_CASE("an odd width ends with a sine that has no cosine") {
  const Tensor64 odd = in_double({.rows = 3, .columns = 5});
  CHECK(odd[{0, 1, 4}] == std::sin(std::pow(10000.0, -4.0 / 5)));
  const Tensor64 one = in_double({.rows = 3, .columns = 1, .base = 7});
  CHECK(one[{0, 2, 0}] == std::sin(2.0));
}

TEST_CASE("a shift turns every pair of the encoding by its own angle at positions up to 100000") {
  const std::size_t d = 16;
  for (const std::size_t p : {0u, 17u, 65536u, 99000u})
    for (const std::size_t shift : {1u, 5u, 1000u}) {
      const SinusoidalEncoding at{.rows = 1, .columns = d, .first = p};
      const Tensor64 from = in_double(at);
      const Tensor64 to = in_double({.rows = 1, .columns = d, .first = p + shift});
      for (std::size_t j = 0; j < d; j += 2) {
        const double angle = static_cast<double>(shift) * at.frequency(j);
        const double sine = from[{0, 0, j}], cosine = from[{0, 0, j + 1}];
        // Each angle, a product in double, is off by half a unit: 2^-53 of up to 100000.
        const double rounding = static_cast<double>(p + shift) * 0x1p-52 + 1e-15;
        CHECK(std::abs(std::cos(angle) * sine + std::sin(angle) * cosine - to[{0, 0, j}]) <= rounding);
        CHECK(std::abs(std::cos(angle) * cosine - std::sin(angle) * sine - to[{0, 0, j + 1}]) <= rounding);
      }
    }
}

TEST_CASE("far positions keep their place on the circle on the reference and on the device") {
  for (const char* choice : {"reference", "auto"}) {
    Budget budget;
    std::vector<std::string> notes;
    const auto backend = tests::devices()->choose(choice, budget, notes);
    for (const std::size_t first : {65536u, 100000u}) {
      const SinusoidalEncoding op{.rows = 40, .columns = 10, .first = first};
      const Tensor floats = backend->run(op, {});
      const Tensor64 exact = in_double(op);
      for (std::size_t i = 0; i < floats.values().size(); ++i)
        CHECK(std::abs(static_cast<double>(floats.values()[i]) - exact.values()[i]) <= 6e-7);
      // What a float angle would have made of them: the test can tell.
      double careless = 0;
      for (std::size_t p = first; p < first + 40; ++p) {
        const float angle = static_cast<float>(p) * static_cast<float>(op.frequency(2));
        careless = std::max(careless, std::abs(std::sin(static_cast<double>(angle)) -
                                               std::sin(static_cast<double>(p) * op.frequency(2))));
      }
      CHECK(careless > 1e-4);
    }
  }
}

TEST_CASE("rows of a learned table do not depend on how many there are or where they are read from") {
  const LearnedTable all{.length = 9, .columns = 4, .seed = 3, .rows = 9};
  const LearnedTable some{.length = 50, .columns = 4, .seed = 3, .first = 5, .rows = 3};
  const auto reference = make_reference_backend();
  const Tensor a = reference->run(all, {}), b = reference->run(some, {});
  for (std::size_t j = 0; j < 4; ++j) CHECK(a[{0, 6, j}] == b[{0, 1, j}]);
  LearnedTable other = all;
  other.seed = 4;
  CHECK_FALSE(reference->run(other, {}) == a);
}

TEST_CASE("a learned table has no row behind its last position") {
  const LearnedTable op{.length = 8, .columns = 4, .first = 6, .rows = 3};
  CHECK_THROWS_WITH_AS(
      result_shape(op, {}),
      "the learned table has 8 positions, counted from 0, and no row for position 8: use fewer "
      "tokens, or a table of 9 positions",
      Error);
  const LearnedTable last{.length = 8, .columns = 4, .first = 6, .rows = 2};
  CHECK(result_shape(last, {}) == Shape{1, 2, 4});
}

TEST_CASE("learned numbers are as long as sinusoidal ones on average") {
  const LearnedTable op{.length = 400, .columns = 64, .seed = 1, .sd = std::sqrt(0.5), .rows = 400};
  const auto table = run_in_double(op, {});
  double sum = 0;
  for (const double v : table.values()) sum += v * v;
  CHECK(sum / 400 == doctest::Approx(32).epsilon(0.02));
}
