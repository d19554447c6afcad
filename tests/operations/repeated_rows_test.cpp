// Rows repeated under longer matrices, and added up: numbers by hand, central differences, what is explained,
// reached and refused.
#include <doctest/doctest.h>

#include "core/operations/backward.h"
#include "tests/operations/differences.h"
#include "tests/operations/opened_numbers.h"

using namespace attn;
using namespace attn::tests;

namespace {

const Tensor kBelow({2, 4, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 10, 20, 30, 40, 50, 60, 70, 80}),
    kRepeated({1, 2, 2}, {100, 200, 300, 400});

}  // namespace

TEST_CASE("row i has row i modulo n added") {
  CHECK(reference_of(AddRepeated{}, {kBelow, kRepeated}) ==
        Tensor({2, 4, 2}, {101, 202, 303, 404, 105, 206, 307, 408, 110, 220, 330, 440, 150, 260, 370, 480}));
}

TEST_CASE("rows that are the same modulo n are added up over all matrices") {
  CHECK(reference_of(SumRepeated{2}, {kBelow}) == Tensor({1, 2, 2}, {66, 88, 110, 132}));
  CHECK(reference_of(SumRepeated{4}, {kBelow}) == Tensor({1, 4, 2}, {11, 22, 33, 44, 55, 66, 77, 88}));
}

TEST_CASE("what flows back to repeated rows is the sum over all that they are added to") {
  const Tensor64 x = random_in_double({2, 6, 3}, 1), b = random_in_double({1, 3, 3}, 2),
                 g = random_in_double({2, 6, 3}, 3);
  check_differences(AddRepeated{}, {x, b}, 1, g, run_in_double(SumRepeated{3}, std::vector{g}));
  const std::vector<Shape> shapes{x.shape(), b.shape()};
  const Backward back = backward(AddRepeated{}, shapes, x.shape());
  REQUIRE(back.flows.size() == 2);
  CHECK(back.flows[0].value.kind == BackwardValue::gradient);
  CHECK(backward(SumRepeated{3}, shapes, b.shape()).missing == kIsGradient);
}

TEST_CASE("every number with repeated rows is opened, and followed where it goes") {
  check_opened(AddRepeated{}, {kBelow, kRepeated});
  check_opened(SumRepeated{2}, {kBelow});
  check_products(AddRepeated{}, {kBelow, kRepeated});
  check_reached(AddRepeated{}, {to_double(kBelow), to_double(kRepeated)});
  check_reached(SumRepeated{2}, {to_double(kBelow)});
}

TEST_CASE("rows that cannot be repeated are refused") {
  CHECK(why_refused(AddRepeated{}, {{1, 4, 2}, {1, 3, 2}}) ==
        "rows of 3×2 cannot be repeated under a 4×2 matrix: it must have as many columns, and a multiple of "
        "their "
        "rows");
  CHECK_FALSE(why_refused(AddRepeated{}, {{1, 4, 2}, {1, 2, 3}}).empty());
  CHECK(why_refused(SumRepeated{3}, {{1, 4, 2}}) == "the 4 rows of a matrix are no multiple of 3");
}
