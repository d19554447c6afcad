// Local attention number by number: the edges of the reach, the ends of the sigmoid, and what is refused.
#include "core/operations/local.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/reference/backend.h"
#include "core/system/error.h"

using namespace attn;

namespace {

std::string refusal(const Operation& operation, const std::vector<Shape>& inputs) {
  try {
    result_shape(operation, inputs);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("the centre goes from 0 to the number of keys and is in the middle of a sum of 0") {
  const LocalCentre op{10};
  CHECK(local_centre(op, 0) == 5);
  CHECK(local_centre(op, 800) == 10);
  CHECK(local_centre(op, -800) == 0);
  CHECK(local_centre(op, std::log(3.0)) == doctest::Approx(7.5).epsilon(1e-15));
  for (const double x : {0.3, 2.0, 17.0, 40.0})
    CHECK(local_centre(op, x) + local_centre(op, -x) == doctest::Approx(10).epsilon(1e-15));
}

TEST_CASE("a key at the end of the reach is seen and one just beyond it is not") {
  const LocalMask op{2, 9};
  CHECK_FALSE(is_outside(op, 4, 6));
  CHECK_FALSE(is_outside(op, 4, 2));
  CHECK(is_outside(op, 4, 7));
  CHECK(is_outside(op, std::nextafter(4, 0), 6));
  CHECK(is_outside(op, std::nextafter(4, 9), 2));
  CHECK_FALSE(is_outside(op, NAN, 0));
}

// Luong, Pham, Manning 2015, equation 10: σ is half the reach.
TEST_CASE("a weight falls by a half of e at half the reach and by e squared at its end") {
  const LocalDecay op{4};
  CHECK(local_factor(op, 3, 3) == 1);
  CHECK(local_factor(op, 3, 5) == doctest::Approx(std::exp(-0.5)).epsilon(1e-15));
  CHECK(local_factor(op, 3, 7) == doctest::Approx(std::exp(-2.0)).epsilon(1e-15));
}

TEST_CASE("centres and masks that do not fit are refused with what does") {
  CHECK(refusal(LocalMask{1, 5}, {{2, 3, 2}}).find("2×3×2") != std::string::npos);
  CHECK(refusal(LocalMask{0, 5}, {{2, 3, 1}}).find("at least 1") != std::string::npos);
  CHECK(refusal(LocalMask{1, 5}, {{2, 3, 1}, {1, 3, 4}}).find("a mask of 3×4") != std::string::npos);
  CHECK(refusal(LocalDecay{1}, {{2, 3, 5}, {1, 3, 1}}).find("give each query one") != std::string::npos);
  CHECK(refusal(LocalMask{1, 5}, {{4, 3, 1}, {2, 3, 5}}).empty());
}

TEST_CASE("why a key is hidden by its distance is said with the numbers") {
  const std::vector<Tensor> inputs{Tensor({1, 1, 1}, {1.25f}), Tensor({1, 1, 5}, {1, 0, 0, 0, 0})};
  const Explanation far = explain(LocalMask{2, 5}, inputs, {0, 0, 4});
  CHECK(far.result == 1);
  CHECK(far.terms[0].operands[0].text == "|key 4 − centre 1.25| = 2.75 > 2");
  const Explanation other = explain(LocalMask{2, 5}, inputs, {0, 0, 0});
  CHECK(other.result == 1);
  CHECK(other.terms[0].value == 0);
  CHECK(other.terms[1].value == 1);
}
