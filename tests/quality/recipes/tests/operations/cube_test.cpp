// Cubes against numbers multiplied by hand.
#include <doctest/doctest.h>

#include <cmath>

#include "core/operations/operation.h"
#include "core/reference/backend.h"
#include "tests/special.h"

using namespace attn;
using namespace attn::tests;

namespace {

float cubed(float x) {
  const std::vector<Tensor> inputs{{{1, 1, 1}, {x}}};
  return make_reference_backend()->run(Cube{}, inputs)[{0, 0, 0}];
}

}  // namespace

TEST_CASE("a cube is a number three times itself and keeps its sign") {
  CHECK(cubed(3) == 27);
  CHECK(cubed(-1.5f) == -3.375f);
  CHECK(std::signbit(cubed(-0.0f)));
}

TEST_CASE("a cube is rounded once") {
  // 4097³ = 68769820673, where floats are 8192 apart; by way of a rounded 4097² it would be the one below.
  CHECK(cubed(4097) == 68769824768.0f);
}

TEST_CASE("a cube beyond the range of float is infinite and of no number none") {
  CHECK(cubed(-1e13f) == -HUGE_VALF);
  CHECK(cubed(1e-16f) == 0);
  CHECK(std::isnan(cubed(kFloatNan)));
}
