// Rounding to number formats against their tables, and sums in them against additions made one by one.
#include "core/operations/precision.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <utility>

#include "core/reference/backend.h"
#include "core/tensor/random.h"

using namespace attn;

namespace {

// The value of the 16 bits, by the definition of IEEE 754 binary16.
double half_value(unsigned bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const double fraction = (bits & 1023) / 1024.0, sign = bits & 0x8000 ? -1 : 1;
  if (exponent == 31) return fraction == 0 ? sign * INFINITY : NAN;
  return sign * (exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, exponent - 15));
}

double sum_of(FormatSum op, std::vector<double> row) {
  const std::size_t m = row.size();
  const std::vector<Tensor64> inputs{Tensor64({1, 1, m}, std::move(row))};
  return run_in_double(op, inputs).values()[0];
}

// The number of bfloat16 that is not over a positive one, and the next above it.
std::pair<double, double> around(float x) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(x) & 0xffff0000u;
  return {std::bit_cast<float>(bits), std::bit_cast<float>(bits + 0x10000u)};
}

}  // namespace

TEST_CASE("every number of float16 rounds to itself and everything between to the nearer one") {
  for (unsigned bits = 0; bits < 0x7bff; ++bits) {  // all up to the largest finite one
    const double low = half_value(bits), high = half_value(bits + 1), middle = (low + high) / 2;
    REQUIRE(rounded(NumberFormat::float16, low) == low);
    REQUIRE(rounded(NumberFormat::float16, -high) == -high);
    REQUIRE(rounded(NumberFormat::float16, std::nextafter(middle, 0.0)) == low);
    REQUIRE(rounded(NumberFormat::float16, std::nextafter(middle, 1e9)) == high);
    REQUIRE(rounded(NumberFormat::float16, middle) == (bits % 2 == 0 ? low : high));  // ties to even
  }
}

TEST_CASE("float16 ends at 65504 and what is nearer to the next number is infinite") {
  CHECK(rounded(NumberFormat::float16, 65519.999) == 65504);
  CHECK(rounded(NumberFormat::float16, 65520) == INFINITY);
  CHECK(rounded(NumberFormat::float16, -1e30) == -INFINITY);
  CHECK(std::isnan(rounded(NumberFormat::float16, NAN)));
}

TEST_CASE("float32 rounds as the machine does") {
  for (std::uint64_t e = 0; e < 5000; ++e) {
    const double x =
        std::ldexp(static_cast<double>(random_bits(3, e)) + 1e-9 * static_cast<double>(random_bits(4, e)),
                   static_cast<int>(e % 290) - 170);
    REQUIRE(rounded(NumberFormat::float32, x) == static_cast<double>(static_cast<float>(x)));
  }
}

TEST_CASE("bfloat16 is the upper half of a float rounded to nearest") {
  for (std::uint64_t e = 0; e < 5000; ++e) {
    const float x = std::ldexp(static_cast<float>(random_bits(5, e)) + 1, static_cast<int>(e % 200) - 120);
    const auto [low, high] = around(x);
    const double y = rounded(NumberFormat::bfloat16, x);
    REQUIRE((y == low || y == high));
    REQUIRE(std::abs(y - x) <= std::min(x - low, high - x));
  }
}

TEST_CASE("sums in float16 lose what is small compared with them and lose less by pairs") {
  // 2048 and more are even numbers only: 1 added to them is lost, every time.
  const std::vector<double> ones(4096, 1.0);
  CHECK(sum_of({NumberFormat::float16, SumOrder::in_order}, ones) == 2048);
  CHECK(sum_of({NumberFormat::float16, SumOrder::pairs}, ones) == 4096);
  CHECK(sum_of({NumberFormat::float32, SumOrder::in_order}, ones) == 4096);
}

TEST_CASE("pairs are neighbours and a number that is left over goes up as it is") {
  // In float16 1 + 2048 is 2048: which numbers meet first shows in the sum.
  const FormatSum pairs{NumberFormat::float16, SumOrder::pairs};
  CHECK(sum_of(pairs, {1, 1, 2048}) == 2050);
  CHECK(sum_of(pairs, {2048, 1, 1}) == 2048);
  CHECK(sum_of(pairs, {2048, 1, 1, 1, 1}) == 2052);  // ((2048 + 1) + (1 + 1)) + 1, ties to even
  CHECK(sum_of(pairs, {7}) == 7);
  CHECK(sum_of({NumberFormat::float16, SumOrder::in_order}, {40000, 40000}) == INFINITY);
}
