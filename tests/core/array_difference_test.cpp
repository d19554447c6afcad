// Differences of arrays: the largest, its place, what is beyond a tolerance, and numbers that are not finite.
#include "core/checks/array_difference.h"
#include "tests/special.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace attn;
using namespace attn::tests;

TEST_CASE("an array differs from itself in nothing whatever it holds") {
  const std::vector<float> numbers{0, -0.0f, 1, -3e38f, kFloatInfinity, -kFloatInfinity, kFloatNan};
  const ArrayDifference off = difference(numbers, numbers, 0.0);
  CHECK(off.largest == 0);
  CHECK(off.mean == 0);
  CHECK(off.beyond == 0);
  for (const float each : differences(numbers, numbers)) CHECK(each == 0);
}

TEST_CASE("the largest difference has its place and the mean is of all numbers") {
  const std::vector<float> a{1, 2, 3, 4}, b{1, 2.5f, 1, 4.25f};
  const ArrayDifference off = difference(a, b, 0.3);
  CHECK(off.largest == 2);
  CHECK(off.at == 2);
  CHECK(off.mean == doctest::Approx(2.75 / 4));
  CHECK(off.beyond == 2);
  CHECK(off.first == 1);
  CHECK(differences(a, b) == std::vector<float>{0, 0.5f, -2, 0.25f});
}

TEST_CASE("without a tolerance rounding is accepted and more is not") {
  const std::vector<float> a{1, 1, 0}, b{1 + 2e-5f, 1 + 3e-5f, 1e-6f};
  const ArrayDifference off = difference(a, b);
  CHECK(off.beyond == 1);
  CHECK(off.first == 1);
}

TEST_CASE("a number against none or the other infinity is beyond every tolerance") {
  for (const float other : {kFloatNan, kFloatInfinity, -kFloatInfinity}) {
    CAPTURE(other);
    const ArrayDifference off = difference(std::vector<float>{1, 2}, std::vector<float>{1, other}, 1e30);
    CHECK(std::isinf(off.largest));
    CHECK(off.at == 1);
    CHECK(off.mean == 0);  // of the first
    CHECK(off.beyond == 1);
  }
  CHECK(difference(std::vector<float>{kFloatInfinity}, std::vector<float>{-kFloatInfinity}, 1e30).beyond ==
        1);
  CHECK(difference(std::vector<float>{-kFloatInfinity}, std::vector<float>{-1e9f}).beyond == 1);
}
