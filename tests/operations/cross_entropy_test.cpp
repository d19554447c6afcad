// Cross-entropy and what flows back to its scores: numbers derived by hand, central differences, what is
// explained, reached and refused.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/operations/operation.h"
#include "core/system/error.h"
#include "tests/operations/differences.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr float kHiddenScore = -std::numeric_limits<float>::infinity();

Tensor found(const Operation& operation, const std::vector<Tensor>& inputs) {
  return make_reference_backend()->run(operation, inputs);
}

// Softmax: 1/2 1/4 1/4, and 1/3 each.
const Tensor kScores({1, 2, 3}, {std::log(2.0f), 0, 0, 5, 5, 5});

}  // namespace

TEST_CASE("a row loses what its right answer’s share of the softmax is below 1") {
  const Tensor each = found(CrossEntropy{}, {kScores, Tensor({1, 2, 1}, {1, 2})});
  CHECK(each.values()[0] == doctest::Approx(std::log(4.0)));
  CHECK(each.values()[1] == doctest::Approx(std::log(3.0)));
  CHECK(found(CrossEntropy{true}, {kScores, Tensor({1, 2, 1}, {1, 2})}).values()[0] ==
        doctest::Approx(std::log(12.0) / 2));
}

TEST_CASE("rows where nothing is asked lose nothing and count for nothing") {
  const Tensor answers({1, 2, 1}, {1, -1}), nothing({1, 2, 1}, {-1, -100});
  CHECK(found(CrossEntropy{}, {kScores, answers}).values()[1] == 0);
  CHECK(found(CrossEntropy{true}, {kScores, answers}).values()[0] == doctest::Approx(std::log(4.0)));
  CHECK(found(CrossEntropy{true}, {kScores, nothing}).values()[0] == 0);
  const Tensor flows = found(CrossEntropyGradient{true}, {kScores, answers, Tensor({1, 1, 1}, {8})});
  CHECK(flows == Tensor({1, 2, 3}, {4, -6, 2, 0, 0, 0}));
  CHECK(found(CrossEntropyGradient{true}, {kScores, nothing, Tensor({1, 1, 1}, {8})}) ==
        Tensor({1, 2, 3}, std::vector<float>(6)));
}

TEST_CASE("an answer that is no column’s number makes its row NaN, and the mean") {
  for (const float wrong : {3.0f, 0.5f, std::numeric_limits<float>::quiet_NaN()}) {
    const Tensor answers({1, 2, 1}, {0, wrong});
    const Tensor each = found(CrossEntropy{}, {kScores, answers});
    CHECK(each.values()[0] == doctest::Approx(std::log(2.0)));
    CHECK(std::isnan(each.values()[1]));
    CHECK(std::isnan(found(CrossEntropy{true}, {kScores, answers}).values()[0]));
    const Tensor flows = found(CrossEntropyGradient{}, {kScores, answers, Tensor({1, 2, 1}, {1, 1})});
    CHECK(flows.values()[0] == doctest::Approx(-0.5));
    CHECK(std::isnan(flows.values()[5]));
  }
}

TEST_CASE("scores of any size and masked ones have their loss, and a small one keeps its digits") {
  const auto loss = [](std::vector<float> scores, float answer) {
    const std::size_t count = scores.size();
    return found(CrossEntropy{}, {Tensor({1, 1, count}, std::move(scores)), Tensor({1, 1, 1}, {answer})})
        .values()[0];
  };
  CHECK(loss({80000, -80000}, 0) == 0);
  CHECK(loss({80000, -80000}, 1) == 160000);
  CHECK(loss({3, kHiddenScore, 3}, 2) == doctest::Approx(std::log(2.0)));
  CHECK(loss({3, kHiddenScore}, 1) == -kHiddenScore);
  CHECK(std::isnan(loss({kHiddenScore, kHiddenScore}, 1)));
  CHECK(loss({30, 0, 0}, 0) == doctest::Approx(2 * std::exp(-30.0)).epsilon(1e-6));
  const Tensor sure({1, 1, 3}, {30, 0, 0});
  const Tensor flows = found(CrossEntropyGradient{}, {sure, Tensor({1, 1, 1}, {0}), Tensor({1, 1, 1}, {1})});
  CHECK(flows.values()[0] == doctest::Approx(-2 * std::exp(-30.0)).epsilon(1e-6));
}

TEST_CASE("the gradient of a cross-entropy is what central differences find") {
  const Tensor64 z = random_in_double({2, 3, 4}, 1), answers({2, 3, 1}, {0, 3, -1, 2, 2, 1});
  for (const bool mean : {false, true}) {
    const Tensor64 g = random_in_double(mean ? Shape{1, 1, 1} : Shape{2, 3, 1}, 2);
    check_differences(CrossEntropy{mean}, {z, answers}, 0, g,
                      run_in_double(CrossEntropyGradient{mean}, std::vector{z, answers, g}));
  }
}

TEST_CASE("a loss is opened into the logarithm of the sum and the right score") {
  const std::vector<Tensor> inputs{kScores, Tensor({1, 2, 1}, {1, -1})};
  const Explanation e = explain(CrossEntropy{}, inputs, Cell{0, 0, 0});
  REQUIRE(e.terms.size() == 2);
  CHECK(e.terms[0].value == doctest::Approx(std::log(4.0)));
  CHECK(e.terms[1].operands[1].cell == Cell{0, 0, 1});
  CHECK(explain(CrossEntropy{}, inputs, Cell{0, 1, 0}).rule == "nothing is asked of this row: 0");
  CHECK(explain(CrossEntropy{true}, inputs, Cell{}).terms.size() == 1);
  const std::vector<Tensor> flows{kScores, inputs[1], Tensor({1, 1, 1}, {8})};
  CHECK(explain(CrossEntropyGradient{true}, flows, Cell{0, 0, 1}).rule ==
        "(softmax − 1) × what flows in ÷ rows asked");
}

TEST_CASE("a score reaches its row’s loss and gradient; answers and what flows into the mean reach all") {
  const std::vector<Shape> shapes{{2, 3, 4}, {2, 3, 1}, {1, 1, 1}};
  CHECK(reach(CrossEntropy{}, shapes, 0, Cell{1, 2, 3}) == Regions(Region{{1, 2, 0}, {2, 3, 1}}));
  CHECK(reach(CrossEntropy{true}, shapes, 0, Cell{1, 2, 3}) == Regions(Region{{0, 0, 0}, {1, 1, 1}}));
  CHECK(reach(CrossEntropyGradient{true}, shapes, 0, Cell{1, 2, 3}) == Regions(Cell{1, 2, 0}, Cell{2, 3, 4}));
  CHECK(reach(CrossEntropyGradient{true}, shapes, 1, Cell{1, 2, 0}) == Regions(Cell{0, 0, 0}, Cell{2, 3, 4}));
}

TEST_CASE("answers that do not fit their scores are refused") {
  const std::vector<Shape> shapes{{1, 2, 4}, {1, 3, 1}};
  CHECK_THROWS_AS(result_shape(CrossEntropy{}, shapes), Error);
  const std::vector<Shape> flows{{1, 2, 4}, {1, 2, 1}, {1, 2, 1}};
  CHECK(result_shape(CrossEntropyGradient{}, flows) == Shape{1, 2, 4});
  CHECK_THROWS_AS(result_shape(CrossEntropyGradient{true}, flows), Error);
}
