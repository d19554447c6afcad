// What flows back through weights and through numbers of rows: by hand, central differences of the operations
// that make them, weights of 0 beside what is special, and what is explained, reached and refused.
#include <doctest/doctest.h>

#include <limits>
#include <vector>

#include "core/operations/backward.h"
#include "tests/operations/differences.h"
#include "tests/operations/opened_numbers.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr WeightsGradient kSoftmaxFlow{WeightsRule::softmax}, kSparsemaxFlow{WeightsRule::sparsemax},
    kSigmoidFlow{WeightsRule::sigmoid}, kRectifiedFlow{WeightsRule::rectified};
constexpr float kOverflow = std::numeric_limits<float>::infinity();
constexpr float kUndefined = std::numeric_limits<float>::quiet_NaN();

// One row of weights, one that is masked but for two keys. Whatever flows to a weight of 0 is nothing.
const Tensor kShares({1, 2, 4}, {0.5f, 0.25f, 0.25f, 0, 0, 0.5f, 0.5f, 0});
const Tensor kFlows({1, 2, 4}, {4, 8, -4, kUndefined, kOverflow, 3, 1, -kOverflow});

// By the matrix of all derivatives, a key by another.
std::vector<double> by_jacobian(const Tensor64& a, const Tensor64& g) {
  std::vector<double> flows(a.values().size());
  for (std::size_t row = 0; row < a.stack() * a.rows(); ++row)
    for (std::size_t i = 0; i < a.columns(); ++i)
      for (std::size_t j = 0; j < a.columns(); ++j) {
        const std::size_t first = row * a.columns();
        flows[first + j] +=
            g.values()[first + i] * a.values()[first + i] * ((i == j) - a.values()[first + j]);
      }
  return flows;
}

}  // namespace

TEST_CASE("what flows to a weight loses the weights’ mean of what flows to the row") {
  // Means 3 and 2.
  CHECK(reference_of(kSoftmaxFlow, {kShares, kFlows}) ==
        Tensor({1, 2, 4}, {0.5f, 1.25f, -1.75f, 0, 0, 0.5f, -0.5f, 0}));
  const Tensor64 a = run_in_double(
      Normalize{}, std::vector{random_in_double({2, 3, 5}, 1), Tensor64({2, 3, 1}, {1, 2, 3, 4, 5, 6})});
  const Tensor64 g = random_in_double({2, 3, 5}, 2), found = run_in_double(kSoftmaxFlow, std::vector{a, g});
  const std::vector<double> expected = by_jacobian(a, g);
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(std::abs(found.values()[i] - expected[i]) <= 1e-13);
}

TEST_CASE("what flows to the support of sparsemax loses its mean, the others get 0") {
  const float third = static_cast<float>(8.0 / 3);
  const Tensor found = reference_of(kSparsemaxFlow, {kShares, kFlows});
  CHECK(found.values()[0] == doctest::Approx(4 - third));
  CHECK(found.values()[1] == doctest::Approx(8 - third));
  CHECK(found.values()[2] == doctest::Approx(-4 - third));
  CHECK(std::vector(found.values().begin() + 3, found.values().end()) == std::vector<float>{0, 0, 1, -1, 0});
  const Tensor64 x({1, 2, 3}, {0.1, 0.4, -2, 1, 0.2, 0.3}), g({1, 2, 3}, {1, 2, 3, -1, 1, 4});
  const auto weights = [](const Tensor64& scores) {
    const Tensor64 threshold = run_in_double(RowStatistic{RowFigure::threshold}, std::vector{scores});
    return run_in_double(ByRow{RowRule::above}, std::vector{scores, threshold});
  };
  const Tensor64 flows = run_in_double(kSparsemaxFlow, std::vector{weights(x), g});
  for (std::size_t i = 0; i < 6; ++i) {
    const auto loss = [&](double by) {
      std::vector<double> moved(x.values().begin(), x.values().end());
      moved[i] += by;
      return weighted_sum(weights(Tensor64(x.shape(), std::move(moved))), g);
    };
    CHECK(flows.values()[i] == doctest::Approx((loss(1e-6) - loss(-1e-6)) / 2e-6).epsilon(1e-7));
  }
}

TEST_CASE("sigmoids and rectified scores pass on what flows in by their own slope") {
  CHECK(reference_of(kSigmoidFlow, {kShares, kFlows}) ==
        Tensor({1, 2, 4}, {1, 1.5f, -0.75f, 0, 0, 0.75f, 0.25f, 0}));
  CHECK(reference_of(kRectifiedFlow, {kShares, kFlows}) == Tensor({1, 2, 4}, {4, 8, -4, 0, 0, 3, 1, 0}));
  CHECK(reference_of(kRectifiedFlow, {kShares, kFlows, Tensor({1, 2, 1}, {4, 2})}) ==
        Tensor({1, 2, 4}, {1, 2, -1, 0, 0, 1.5f, 0.5f, 0}));
  const Tensor64 x = random_in_double({1, 3, 4}, 7), left({1, 3, 1}, {4, 3, 2}),
                 g = random_in_double({1, 3, 4}, 8);
  const ByRow sigmoid{RowRule::sigmoid}, rectified{RowRule::rectified};
  check_differences(
      sigmoid, {x, left}, 0, g,
      run_in_double(kSigmoidFlow, std::vector{run_in_double(sigmoid, std::vector{x, left}), g}));
  check_differences(
      rectified, {x, left}, 0, g,
      run_in_double(kRectifiedFlow, std::vector{run_in_double(rectified, std::vector{x, left}), g, left}));
}

TEST_CASE("one row of weights serves all rows that flow back to it") {
  const Tensor weights({2, 1, 2}, {0.5f, 0.5f, 1, 0}), g({2, 2, 2}, {1, 3, 4, 4, 5, kUndefined, 7, 8});
  CHECK(reference_of(kSoftmaxFlow, {weights, g}) == Tensor({2, 2, 2}, {-0.5f, 0.5f, 0, 0, 0, 0, 0, 0}));
  check_opened(kSoftmaxFlow, {weights, g});
  check_cut(kSoftmaxFlow, {weights, g}, {1, 1});
  const std::vector<Shape> shapes{weights.shape(), g.shape()};
  CHECK(reach(kSoftmaxFlow, shapes, 0, Cell{1, 0, 1}) == Regions({1, 0, 0}, {2, 2, 2}));
  CHECK(reach(kSigmoidFlow, shapes, 0, Cell{1, 0, 1}) == Regions({1, 0, 1}, {2, 2, 2}));
}

TEST_CASE("a number of a row passes what flows in on to those that made it, in equal parts") {
  const Tensor x({1, 4, 3}, {2, 5, 5, -1, -3, -1, 1, 0.5f, -4, -kOverflow, -kOverflow, -kOverflow});
  const Tensor g({1, 4, 1}, {6, 8, 3, 5});
  CHECK(
      reference_of(FigureGradient{FigureRule::largest}, {x, Tensor({1, 4, 1}, {5, -1, 1, -kOverflow}), g}) ==
      Tensor({1, 4, 3}, {0, 3, 3, 4, 0, 4, 3, 0, 0, 0, 0, 0}));
  CHECK(reference_of(FigureGradient{FigureRule::largest_or_zero}, {x, Tensor({1, 4, 1}, {5, 0, 1, 0}), g}) ==
        Tensor({1, 4, 3}, {0, 3, 3, 0, 0, 0, 3, 0, 0, 0, 0, 0}));
  CHECK(reference_of(FigureGradient{FigureRule::threshold},
                     {x, Tensor({1, 4, 1}, {4.5f, -1.5f, 0.25f, 0}), g}) ==
        Tensor({1, 4, 3}, {0, 3, 3, 4, 0, 4, 1.5f, 1.5f, 0, 0, 0, 0}));
  for (const FigureRule rule : {FigureRule::largest, FigureRule::largest_or_zero, FigureRule::threshold}) {
    check_opened(FigureGradient{rule}, {x, Tensor({1, 4, 1}, {5, -1, 0, -kOverflow}), g});
    check_cut(FigureGradient{rule}, {x, Tensor({1, 4, 1}, {5, -1, 0, -kOverflow}), g}, {1, 2});
  }
  const Tensor64 wide = random_in_double({2, 3, 5}, 3), flows = random_in_double({2, 3, 1}, 4);
  const auto flow_of = [&](const RowStatistic& figure, FigureRule rule) {
    const Tensor64 made = run_in_double(figure, std::vector{wide});
    check_differences(figure, {wide}, 0, flows,
                      run_in_double(FigureGradient{rule}, std::vector{wide, made, flows}));
  };
  flow_of({RowFigure::largest_or_zero}, FigureRule::largest_or_zero);
  flow_of({RowFigure::threshold}, FigureRule::threshold);
  check_differences(RowMaximum{}, {wide}, 0, flows,
                    run_in_double(FigureGradient{FigureRule::largest},
                                  std::vector{wide, run_in_double(RowMaximum{}, std::vector{wide}), flows}));
}

TEST_CASE("what flows back through a row is opened by its formula") {
  for (const WeightsGradient& op : {kSoftmaxFlow, kSparsemaxFlow, kSigmoidFlow, kRectifiedFlow}) {
    check_opened(op, {kShares, kFlows});
    check_cut(op, {kShares, kFlows}, {1, 1});
  }
  check_opened(kRectifiedFlow, {kShares, kFlows, Tensor({1, 2, 1}, {4, 2})});
  const std::vector<Tensor> inputs{kShares, kFlows};
  const Explanation softmax = explain(kSoftmaxFlow, inputs, Cell{0, 0, 2});
  CHECK(softmax.aggregate == Aggregate::applied);
  REQUIRE(softmax.terms.size() == 4);
  CHECK(softmax.terms[1].value == 2);
  CHECK(softmax.terms[1].operands[0].cell == Cell{0, 0, 1});
  CHECK(softmax.terms[1].operands[1].input == 1);
  CHECK(softmax.terms[3].value == 0);
  CHECK(softmax.result == -1.75);
  const Explanation of_one = explain(
      kSoftmaxFlow, std::vector{kShares, Tensor(kShares.shape(), {0, 1, 0, 0, 0, 0, 0, 0})}, Cell{0, 0, 2});
  REQUIRE(of_one.terms.size() == 2);  // that key, and its own
  CHECK(of_one.terms[0].value == kShares[{0, 0, 1}]);
  CHECK(explain(kSparsemaxFlow, inputs, Cell{0, 0, 2}).terms.size() == 3);
  CHECK(explain(kSigmoidFlow, inputs, Cell{0, 0, 3}).rule == "a weight of 0 passes nothing on: 0");
  CHECK(explain(FigureGradient{},
                std::vector{kShares, Tensor({1, 2, 1}, {0.5f, 0.5f}), Tensor({1, 2, 1}, {1, 1})},
                Cell{0, 1, 1})
            .rule == "what flows in ÷ how many are the row’s largest");
  // 0.25·8 and 0.5·4; only what is finite and arrives.
  CHECK(size_of_terms(kSoftmaxFlow, inputs) == 2);
  CHECK(size_of_terms(kSparsemaxFlow, inputs) == 8);
  CHECK(size_of_terms(kSigmoidFlow, inputs) == 0);
}

TEST_CASE("flows that are not those of the weights are refused, and gradients have none of their own") {
  CHECK(why_refused(kSoftmaxFlow, {{2, 3, 4}, {2, 3, 5}}) ==
        "a gradient of 2×3×5 is not that of weights of 2×3×4: give it their shape, or one row of weights for "
        "all "
        "of its rows");
  CHECK(why_refused(kRectifiedFlow, {{2, 3, 4}, {2, 3, 4}, {2, 3, 4}}) ==
        "divisors of 2×3×4 do not fit a gradient of 2×3×4: each row needs one");
  CHECK(why_refused(FigureGradient{}, {{2, 3, 4}, {2, 3, 1}, {1, 3, 1}}) ==
        "numbers of 3×1 are not those of the rows of 2×3×4: each row needs one");
  const std::vector<Shape> shapes{{2, 3, 4}, {2, 3, 4}};
  CHECK(reach(kSigmoidFlow, shapes, 1, Cell{1, 2, 3}) == Regions(region({1, 2, 3})));
  CHECK(reach(kSparsemaxFlow, shapes, 1, Cell{1, 2, 3}) == Regions({1, 2, 0}, {2, 3, 4}));
  CHECK(backward(kSoftmaxFlow, shapes, shapes[0]).missing == kIsGradient);
}
