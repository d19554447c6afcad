// Mean square distances and what flows back: by hand, central differences, targets that ask nothing, and what
// is explained, reached and refused.
#include <doctest/doctest.h>

#include <limits>
#include <vector>

#include "tests/operations/differences.h"
#include "tests/operations/opened_numbers.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr float kUnasked = std::numeric_limits<float>::quiet_NaN();
constexpr float kBoundless = std::numeric_limits<float>::infinity();

// Distances −1 and 3, one that is not asked, and 0.
const Tensor kFound({2, 1, 2}, {1, 5, kBoundless, 4}), kAsked({2, 1, 2}, {2, 2, kUnasked, 4});

}  // namespace

TEST_CASE("squares are averaged over what is asked") {
  CHECK(reference_of(MeanSquare{}, {kFound, kAsked}).values()[0] == doctest::Approx(10.0 / 3));
  const Tensor flows = reference_of(MeanSquareGradient{}, {kFound, kAsked, Tensor({1, 1, 1}, {6})});
  CHECK(flows == Tensor({2, 1, 2}, {-4, 12, 0, 0}));
}

TEST_CASE("where nothing is asked the mean is 0, and nothing flows back") {
  const Tensor nothing({2, 1, 2}, {kUnasked, kUnasked, kUnasked, kUnasked}), g({1, 1, 1}, {kBoundless});
  CHECK(reference_of(MeanSquare{}, {kFound, nothing}) == Tensor({1, 1, 1}, {0}));
  CHECK(reference_of(MeanSquareGradient{}, {kFound, nothing, g}) == Tensor({2, 1, 2}, {0, 0, 0, 0}));
  check_opened(MeanSquare{}, {kFound, nothing});
  check_opened(MeanSquareGradient{}, {kFound, nothing, g});
  CHECK(reference_of(MeanSquare{}, {Tensor({1, 0, 2}, {}), Tensor({1, 0, 2}, {})}) == Tensor({1, 1, 1}, {0}));
}

TEST_CASE("what flows back from a mean square is what central differences find") {
  const Tensor64 x = random_in_double({2, 3, 4}, 1), random = random_in_double({2, 3, 4}, 2);
  std::vector<double> values(random.values().begin(), random.values().end());
  values[5] = values[17] = std::numeric_limits<double>::quiet_NaN();
  const Tensor64 target({2, 3, 4}, std::move(values)), g({1, 1, 1}, {1.5});
  check_differences(MeanSquare{}, {x, target}, 0, g,
                    run_in_double(MeanSquareGradient{}, std::vector{x, target, g}));
}

TEST_CASE("a mean square is opened into its rows, what flows back into its distance") {
  const Tensor g({1, 1, 1}, {6});
  check_opened(MeanSquare{}, {kFound, kAsked});
  check_opened(MeanSquareGradient{}, {kFound, kAsked, g});
  const Explanation mean = explain(MeanSquare{}, std::vector{kFound, kAsked}, Cell{});
  REQUIRE(mean.terms.size() == 2);
  CHECK(mean.terms[0].operands[0].text == "row 0 of head 0");
  CHECK(mean.terms[0].operands[0].value == 10);
  CHECK(mean.terms[0].operands[1].text == "1/3");
  const Explanation flow = explain(MeanSquareGradient{}, std::vector{kFound, kAsked, g}, Cell{0, 0, 1});
  CHECK(flow.rule == "2 × (number − target) × what flows in ÷ numbers asked");
  CHECK(flow.terms[0].operands[0].value == 3);
  CHECK(flow.terms[0].operands[2].text == "2/3");
  CHECK(explain(MeanSquareGradient{}, std::vector{kFound, kAsked, g}, Cell{1, 0, 0}).rule ==
        "nothing is asked of this number: 0");
}

TEST_CASE("a number reaches the mean and its own flow, a target all flows; neither is made by rows") {
  const std::vector<Shape> shapes{{2, 1, 2}, {2, 1, 2}, {1, 1, 1}};
  CHECK(reach(MeanSquare{}, shapes, 1, Cell{1, 0, 1}) == Regions(region({0, 0, 0})));
  CHECK(reach(MeanSquareGradient{}, shapes, 0, Cell{1, 0, 1}) == Regions(region({1, 0, 1})));
  CHECK(reach(MeanSquareGradient{}, shapes, 1, Cell{1, 0, 1}) == Regions({0, 0, 0}, {2, 1, 2}));
  CHECK_FALSE(cut(MeanSquareGradient{}, shapes, {0, 1}));
  CHECK(why_refused(MeanSquare{}, {{2, 1, 2}, {1, 1, 2}}) ==
        "a target of 1×2 does not fit a matrix of 2×1×2: it needs a number for each, NaN where nothing is "
        "asked");
  CHECK(why_refused(MeanSquareGradient{}, {{2, 1, 2}, {2, 1, 2}, {2, 1, 2}}) ==
        "a gradient of 2×1×2 is not that of a mean square, which is one number");
}
