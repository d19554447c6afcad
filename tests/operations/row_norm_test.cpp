// Normalised rows and what flows back through them: numbers derived by hand, central differences, what is
// explained, reached and refused.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "tests/operations/differences.h"
#include "tests/operations/opened_numbers.h"

using namespace attn;
using namespace attn::tests;

namespace {

// Mean 2, variance 4: with ε = 5 of length 3, normed ∓2/3.
const Tensor kTwoLevels({1, 1, 4}, {0, 0, 4, 4});
constexpr RowNorm kByThree{.centred = true, .epsilon = 5}, kByRoot{.centred = false, .epsilon = 0};

void check_close(const Operation& operation, const std::vector<Tensor>& inputs,
                 const std::vector<double>& expected) {
  const Tensor result = make_reference_backend()->run(operation, inputs);
  REQUIRE(result.values().size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK(result.values()[i] == doctest::Approx(expected[i]).epsilon(1e-6));
}

}  // namespace

TEST_CASE("a row is divided by its spread about its mean, or by its root mean square") {
  const Tensor gain({1, 1, 4}, {1, 2, 3, 4}), bias({1, 1, 4}, {10, 20, 30, 40});
  const double third = 1.0 / 3;
  check_close(kByThree, {kTwoLevels}, {-2 * third, -2 * third, 2 * third, 2 * third});
  check_close(kByThree, {kTwoLevels, gain, bias}, {10 - 2 * third, 20 - 4 * third, 32, 40 + 8 * third});
  // 3² + 4² over four: 2.5².
  const Tensor x({1, 1, 4}, {3, 4, 0, 0});
  check_close(kByRoot, {x}, {1.2, 1.6, 0, 0});
  check_close(kByRoot, {x, gain}, {1.2, 3.2, 0, 0});
}

TEST_CASE("what flows back to a row has lost its mean and its part along the row") {
  // Means of g and of g·x̂: 1/4 and −1/6.
  const Tensor g({1, 1, 4}, {1, 0, 0, 0});
  const double ninth = 1.0 / 9;
  check_close(RowNormGradient{kByThree}, {kTwoLevels, g},
              {(0.75 - ninth) / 3, (-0.25 - ninth) / 3, (-0.25 + ninth) / 3, (-0.25 + ninth) / 3});
  // ĝ = 2 0 0 1, the mean of ĝ·x̂ 0.6.
  const Tensor x({1, 1, 4}, {3, 4, 0, 0}), both({1, 1, 4}, {1, 0, 0, 1}), gain({1, 1, 4}, {2, 1, 1, 1});
  check_close(RowNormGradient{kByRoot}, {x, both, gain}, {0.512, -0.384, 0, 0.4});
}

TEST_CASE("what flows back to gain and bias is added up over all rows") {
  const Tensor x({2, 1, 4}, {3, 4, 0, 0, 0, 0, -3, 4}), g({2, 1, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  check_close(RowNormGradient{kByRoot, RowNormGradient::gain}, {x, g}, {1.2, 3.2, -8.4, 12.8});
  check_close(ColumnSum{}, {g}, {6, 8, 10, 12});
  check_close(ColumnSum{}, {Tensor({1, 0, 2}, {})}, {0, 0});
}

TEST_CASE("columns are also added up for each matrix alone") {
  const Tensor g({2, 2, 3}, {1, 2, 3, 4, 5, 6, -7, 8, 9, 10, 11, -12});
  const ColumnSum each{.each = true};
  CHECK(reference_of(each, {g}) == Tensor({2, 1, 3}, {5, 7, 9, 3, 19, -3}));
  CHECK(reference_of(each, {Tensor({2, 0, 2}, {})}) == Tensor({2, 1, 2}, {0, 0, 0, 0}));
  check_opened(each, {g});
  CHECK(explain(each, std::vector{g}, Cell{1, 0, 0}).rule == "Σ of the column over the rows of its head");
  CHECK(reach(each, std::vector{g.shape()}, 0, Cell{1, 1, 2}) == Regions(region({1, 0, 2})));
  CHECK(reach(ColumnSum{}, std::vector{g.shape()}, 0, Cell{1, 1, 2}) == Regions(region({0, 0, 2})));
}

TEST_CASE("the gradients of normed rows are what central differences find") {
  const Shape shape{2, 3, 5};
  const std::vector<Tensor64> inputs{random_in_double(shape, 1), random_in_double({1, 1, 5}, 2),
                                     random_in_double({1, 1, 5}, 3)};
  const Tensor64 g = random_in_double(shape, 4);
  for (const bool centred : {true, false}) {
    const RowNorm norm{.centred = centred, .epsilon = 0.01};
    check_differences(norm, inputs, 0, g,
                      run_in_double(RowNormGradient{norm}, std::vector{inputs[0], g, inputs[1]}));
    check_differences(norm, inputs, 1, g,
                      run_in_double(RowNormGradient{norm, RowNormGradient::gain}, std::vector{inputs[0], g}));
    check_differences(norm, inputs, 2, g, run_in_double(ColumnSum{}, std::vector{g}));
    check_differences(norm, {inputs[0]}, 0, g,
                      run_in_double(RowNormGradient{norm}, std::vector{inputs[0], g}));
  }
}

TEST_CASE("rows of one number, of equal numbers and of huge ones have a norm, and NaN stays in its row") {
  check_close(RowNorm{}, {Tensor({1, 2, 1}, {7, -1e30f})}, {0, 0});
  check_close(RowNorm{}, {Tensor({1, 1, 3}, {5, 5, 5})}, {0, 0, 0});
  check_close(RowNorm{}, {Tensor({1, 1, 2}, {3e38f, -3e38f})}, {1, -1});
  const Tensor x({1, 3, 2}, {1, 2, NAN, 2, 3, 5});
  const Tensor result = make_reference_backend()->run(RowNorm{}, std::vector{x});
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t j = 0; j < 2; ++j) CHECK(std::isnan(result[{0, row, j}]) == (row == 1));
}

TEST_CASE("a normed number is opened into itself, its mean and its bias, a gradient into what it lost") {
  const Tensor gain({1, 1, 4}, {1, 2, 3, 4}), bias({1, 1, 4}, {10, 20, 30, 40});
  const std::vector<Tensor> inputs{kTwoLevels, gain, bias};
  const Explanation e = explain(kByThree, inputs, Cell{0, 0, 3});
  CHECK(e.rule == "(number − mean of the row) ÷ √(variance + ε) × gain + bias");
  REQUIRE(e.terms.size() == 3);
  CHECK(e.terms[0].value == doctest::Approx(16.0 / 3));
  CHECK(e.terms[1].value == doctest::Approx(-8.0 / 3));
  CHECK(e.terms[2].named_by == 2);
  CHECK(e.result == doctest::Approx(40 + 8.0 / 3));
  const std::vector<Tensor> flows{kTwoLevels, Tensor({1, 1, 4}, {1, 0, 0, 0})};
  CHECK(explain(RowNormGradient{kByThree}, flows, Cell{0, 0, 0}).terms.size() == 3);
  CHECK(explain(RowNormGradient{kByThree, RowNormGradient::gain}, flows, Cell{0, 0, 0}).result ==
        doctest::Approx(-2.0 / 3));
}

TEST_CASE("a number reaches its row, a gain its column, and through the gradient all that rows lose") {
  const std::vector<Shape> shapes{{2, 3, 4}, {1, 1, 4}, {1, 1, 4}};
  CHECK(reach(RowNorm{}, shapes, 0, Cell{1, 2, 3}) == Regions(Cell{1, 2, 0}, Cell{2, 3, 4}));
  CHECK(reach(RowNorm{}, shapes, 2, Cell{0, 0, 3}) == Regions(Cell{0, 0, 3}, Cell{2, 3, 4}));
  const std::vector<Shape> back{{2, 3, 4}, {2, 3, 4}, {1, 1, 4}};
  CHECK(reach(RowNormGradient{}, back, 1, Cell{1, 2, 3}) == Regions(Cell{1, 2, 0}, Cell{2, 3, 4}));
  CHECK(reach(RowNormGradient{}, back, 2, Cell{0, 0, 3}) == Regions(Cell{0, 0, 0}, Cell{2, 3, 4}));
  const RowNormGradient of_gain{.of = RowNormGradient::gain};
  CHECK(reach(of_gain, back, 0, Cell{1, 2, 3}) == Regions(Cell{0, 0, 0}, Cell{1, 1, 4}));
  CHECK(reach(of_gain, back, 1, Cell{1, 2, 3}) == Regions(Cell{0, 0, 3}, Cell{1, 1, 4}));
}

TEST_CASE("gains, biases and gradients are refused where they do not fit") {
  CHECK(why_refused(RowNorm{}, {{1, 2, 4}, {1, 1, 3}}) ==
        "a gain of 1×3 does not fit rows of 4: it needs as many numbers");
  CHECK(why_refused(RowNorm{}, {{1, 2, 4}, {1, 1, 4}, {1, 2, 4}}) ==
        "a bias of 2×4 does not fit rows of 4: it needs as many numbers");
  CHECK(why_refused(RowNormGradient{}, {{1, 2, 4}, {1, 2, 3}}) ==
        "a gradient of 2×3 is not that of rows of 2×4");
}
