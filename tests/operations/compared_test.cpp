// Differences, ratios and distances of two matrices, against the definition.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/operations/operation.h"
#include "core/reference/backend.h"
#include "core/system/error.h"
#include "tests/special.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

std::vector<float> compared(Compared::Figure figure, std::vector<float> a, std::vector<float> b) {
  const std::size_t n = a.size();
  const std::vector<Tensor> inputs{{{1, 1, n}, std::move(a)}, {{1, 1, n}, std::move(b)}};
  const auto backend = make_reference_backend();
  const Tensor y = backend->run(Compared{figure}, inputs);
  return {y.values().begin(), y.values().end()};
}

}  // namespace

TEST_CASE("a difference is the second less the first and a distance has no sign") {
  CHECK(compared(Compared::difference, {1, 2.5f, -3}, {4, 2, -3}) == std::vector<float>{3, -0.5f, 0});
  CHECK(compared(Compared::distance, {1, 2.5f, -3}, {4, 2, -3}) == std::vector<float>{3, 0.5f, 0});
}

TEST_CASE("a ratio divides the second by the first and is 1 of equal numbers even of two zeros") {
  CHECK(compared(Compared::ratio, {2, -4, 0, 1}, {1, 2, 0, 0}) == std::vector<float>{0.5f, -0.5f, 1, 0});
}

TEST_CASE("what is masked or no number in both is no difference") {
  for (const auto figure : {Compared::difference, Compared::distance})
    CHECK(compared(figure, {-kInf, kInf, kFloatNan}, {-kInf, kInf, kFloatNan}) ==
          std::vector<float>{0, 0, 0});
  CHECK(compared(Compared::ratio, {-kInf, kFloatNan}, {-kInf, kFloatNan}) == std::vector<float>{1, 1});
  CHECK(compared(Compared::difference, {-kInf}, {1})[0] == kInf);
  CHECK(std::isnan(compared(Compared::difference, {kFloatNan}, {1})[0]));
}

TEST_CASE("matrices of two shapes are refused with both") {
  const std::vector<Shape> shapes{{1, 2, 3}, {1, 3, 2}};
  CHECK_THROWS_WITH_AS(result_shape(Operation(Compared{}), shapes), doctest::Contains("numbers of one shape"),
                       Error);
}
