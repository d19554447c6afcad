// Products with a bias and what becomes of them: numbers derived by hand, what is explained, reached and
// refused.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/operations/operation.h"
#include "core/reference/backend.h"
#include "core/reference/row_parts.h"
#include "tests/operations/differences.h"
#include "tests/operations/opened_numbers.h"
#include "tests/random_layer.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr float kBelowAll = -std::numeric_limits<float>::infinity();

// [1 2; 3 −4]·[1 0; 0.5 1] + [0.5 −7] = [2.5 −5; 1.5 −11].
const Tensor kA({1, 2, 2}, {1, 2, 3, -4}), kB({1, 2, 2}, {1, 0, 0.5f, 1}), kBias({1, 1, 2}, {0.5f, -7}),
    kAdded({1, 2, 2}, {10, 20, 30, 40});

Tensor run(const Operation& operation, const std::vector<Tensor>& inputs) {
  return make_reference_backend()->run(operation, inputs);
}

void check_near(const Tensor& result, const std::vector<double>& expected) {
  REQUIRE(result.values().size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK(result.values()[i] == doctest::Approx(expected[i]).epsilon(1e-6));
}

}  // namespace

TEST_CASE("a product takes a bias and what follows it, as a projection does") {
  for (const bool projects : {false, true}) {
    const auto op = [&](AfterProduct after) {
      return projects ? Operation(Project{.after = after}) : Operation(MatMul{.after = after});
    };
    check_near(run(op(AfterProduct::nothing), {kA, kB, kBias}), {2.5, -5, 1.5, -11});
    check_near(run(op(AfterProduct::nothing), {kA, kB}), {2, 2, 1, -4});
    check_near(run(op(AfterProduct::relu), {kA, kB, kBias}), {2.5, 0, 1.5, 0});
    check_near(run(op(AfterProduct::residual), {kA, kB, kBias, kAdded}), {12.5, 15, 31.5, 29});
    check_near(run(op(AfterProduct::residual), {kA, kB, kAdded}), {12, 22, 31, 36});
    // x·Φ(x), and the tanh form, of 2, 2, 1, −4.
    check_near(run(op(AfterProduct::gelu), {kA, kB}), {1.9544997, 1.9544997, 0.8413447, -0.00012668497});
    check_near(run(op(AfterProduct::gelu_tanh), {kA, kB}), {1.9545977, 1.9545977, 0.8411920, -7.0246e-5});
  }
}

TEST_CASE("a head of a projection takes its own part of the bias and of what is added") {
  const Tensor w({1, 2, 2}, {1, 0, 0.5f, 1});
  const Tensor added({2, 2, 1}, {1, 2, 3, 4});
  check_near(run(Project{.heads = 2, .after = AfterProduct::residual}, {kA, w, kBias, added}),
             {3.5, 3.5, -2, -7});
}

TEST_CASE("GELU of −∞ is its limit, and NaN stays NaN") {
  for (const AfterProduct after : {AfterProduct::gelu, AfterProduct::gelu_tanh}) {
    CHECK(after_product(after, kBelowAll, 0) == 0);
    CHECK(after_product(after, -kBelowAll, 0) == -kBelowAll);
    CHECK(std::isnan(after_product(after, std::nan(""), 0)));
    CHECK(after_product(after, -40, 0) == 0);
  }
  CHECK(std::isnan(after_product(AfterProduct::relu, std::nan(""), 0)));
}

TEST_CASE("a number of a product with all that follows is opened into all that made it") {
  const std::vector<Tensor> inputs{kA, kB, kBias, kAdded};
  const Explanation added = explain(MatMul{.after = AfterProduct::residual}, inputs, Cell{0, 1, 0});
  CHECK(added.result == 31.5);
  REQUIRE(added.terms.size() == 4);  // two products, the bias, what is added
  CHECK(added.terms[2].named_by == 2);
  CHECK(added.terms[3].named_by == 3);
  CHECK(added.aggregate == Aggregate::sum);
  const Explanation bent =
      explain(Project{.after = AfterProduct::gelu}, std::span(inputs).first(3), Cell{0, 0, 0});
  CHECK(bent.rule == "GELU(left[0]·right[:, 0] + b[0])");
  CHECK(bent.aggregate == Aggregate::applied);
  CHECK(bent.terms.size() == 3);
  CHECK(bent.result == doctest::Approx(2.5 * 0.99379033));
}

TEST_CASE("a bias reaches its column, and what is added its own number") {
  const std::vector<Shape> shapes{{3, 2, 4}, {1, 4, 5}, {1, 1, 5}, {3, 2, 5}};
  const MatMul op{.after = AfterProduct::residual};
  CHECK(reach(op, shapes, 2, Cell{0, 0, 4}) == Regions(Cell{0, 0, 4}, Cell{3, 2, 5}));
  CHECK(reach(op, shapes, 3, Cell{2, 1, 3}) == Regions(Region{{2, 1, 3}, {3, 2, 4}}));
  const std::vector<Shape> projected{{1, 2, 4}, {1, 4, 6}, {1, 1, 6}, {2, 2, 3}};
  const Project heads{.heads = 2, .after = AfterProduct::residual};
  CHECK(reach(heads, projected, 2, Cell{0, 0, 4}) == Regions(Cell{1, 0, 1}, Cell{2, 2, 2}));
  CHECK(reach(heads, projected, 3, Cell{1, 1, 2}) == Regions(Region{{1, 1, 2}, {2, 2, 3}}));
}

TEST_CASE("a bias and what is added are refused where they do not fit") {
  const Shape a{1, 2, 4}, b{1, 4, 5};
  CHECK(tests::why_refused(MatMul{}, {a, b, {1, 1, 4}}) ==
        "a bias of 1×4 does not fit a product of 2×5: it needs 5 numbers");
  CHECK(tests::why_refused(MatMul{.after = AfterProduct::residual}, {a, b}) ==
        "nothing is given to add to the product");
  CHECK(tests::why_refused(Project{.after = AfterProduct::residual}, {a, b, {1, 1, 5}, {1, 3, 5}}) ==
        "a 3×5 matrix cannot be added to a product of 2×5");
}

TEST_CASE("columns are multiplied, and their products added up over heads that share") {
  // [1 3; 2 −4]·[1 0; 0.5 1] = [2.5 3; 0 −4].
  check_near(run(MatMul{.transpose_left = true}, {kA, kB}), {2.5, 3, 0, -4});
  check_near(run(MatMul{.transpose_right = true, .transpose_left = true}, {kA, kB}), {1, 3.5, 2, -3});
  // Two heads of one row: [1 2]ᵀ[5 6] + [3 4]ᵀ[7 8].
  const std::vector<Tensor> heads{Tensor({2, 1, 2}, {1, 2, 3, 4}), Tensor({2, 1, 2}, {5, 6, 7, 8})};
  const MatMul added_up{.transpose_left = true, .summed = 2};
  const Tensor result = run(added_up, heads);
  CHECK(result == Tensor({1, 2, 2}, {26, 30, 38, 44}));
  const Explanation e = explain(added_up, heads, Cell{0, 1, 0});
  CHECK(e.rule == "left[:, 1]·right[:, 0]");
  REQUIRE(e.terms.size() == 2);
  CHECK(e.terms[1].operands[0].cell == Cell{1, 0, 1});
  CHECK(e.terms[1].operands[1].cell == Cell{1, 0, 0});
  CHECK(e.over == -1);
}

TEST_CASE("a number of columns that are multiplied reaches a row of the product of its group") {
  const std::vector<Shape> shapes{{4, 3, 5}, {4, 3, 2}};
  const MatMul op{.transpose_left = true, .summed = 2};
  CHECK(result_shape(op, shapes) == Shape{2, 5, 2});
  CHECK(reach(op, shapes, 0, Cell{3, 2, 4}) == Regions(Cell{1, 4, 0}, Cell{2, 5, 2}));
  CHECK(reach(op, shapes, 1, Cell{3, 2, 1}) == Regions(Cell{1, 0, 1}, Cell{2, 5, 2}));
  CHECK(traits(op, shapes, {2, 5, 2}).multiply_adds == 2 * 5 * 2 * 6);
  CHECK_FALSE(cut(op, shapes, {0, 1}));
}

TEST_CASE("products are added up only where rows lie together, of as many heads as divide theirs") {
  CHECK(tests::why_refused(MatMul{.summed = 2}, {{2, 3, 5}, {2, 5, 2}}) ==
        "only products of columns are added up over heads");
  CHECK(tests::why_refused(MatMul{.transpose_left = true, .summed = 3}, {{4, 3, 5}, {4, 3, 2}}) ==
        "products of 4 heads cannot be added up 3 by 3: that number must divide the heads");
  CHECK(tests::why_refused(MatMul{.transpose_left = true}, {{1, 3, 5}, {1, 4, 2}}) ==
        "a 3×5 matrix transposed cannot multiply a 4×2 matrix: give both the same number of rows");
}

TEST_CASE("gradients of a product are products of columns and of rows") {
  const Tensor64 a = tests::random_in_double({4, 3, 5}, 1), b = tests::random_in_double({2, 5, 2}, 2),
                 g = tests::random_in_double({4, 3, 2}, 3);
  tests::check_differences(MatMul{}, {a, b}, 1, g,
                           run_in_double(MatMul{.transpose_left = true, .summed = 2}, std::vector{a, g}));
  tests::check_differences(MatMul{}, {a, b}, 0, g,
                           run_in_double(MatMul{.transpose_right = true}, std::vector{g, b}));
}

TEST_CASE("some rows of a product and some columns of them are those of the whole") {
  Random random(31);
  const Tensor x = normal(random, {1, 7, 5}), w = normal(random, {1, 5, 12}),
               bias = normal(random, {1, 1, 12});
  const Tensor a = normal(random, {2, 7, 5}), b = normal(random, {2, 5, 12}),
               turned = normal(random, {2, 12, 5});
  const std::vector<std::pair<Operation, std::vector<Tensor>>> products{
      {Project{.heads = 3, .after = AfterProduct::gelu}, {x, w, bias}},
      {Project{.after = AfterProduct::residual}, {x, w, bias, normal(random, {1, 7, 12})}},
      {MatMul{.after = AfterProduct::residual}, {a, b, bias, normal(random, {2, 7, 12})}},
      {MatMul{.transpose_right = true}, {a, turned}}};
  for (const auto& [operation, inputs] : products) {
    const Tensor all = run(operation, inputs);
    for (const std::vector<std::size_t>& rows :
         {std::vector<std::size_t>{6}, {0, 3, 5}, {0, 1, 2, 3, 4, 5, 6}}) {
      const reference::ColumnChoice some{1, all.columns() - 2};
      for (const reference::ColumnChoice columns : {reference::ColumnChoice{}, some}) {
        const RowParts parts = run_row_parts(operation, inputs, rows, columns);
        const bool few = rows.size() <= 3;
        if (few) CHECK(parts.first == columns.first);
        if (few) CHECK(parts.numbers.columns() == (columns.count > 0 ? columns.count : all.columns()));
        REQUIRE(parts.numbers.rows() == rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i)
          for (std::size_t j = 0; j < parts.numbers.columns(); ++j)
            CHECK(parts.numbers[{0, i, j}] ==
                  doctest::Approx(all.values()[rows[i] * all.columns() + parts.first + j]).epsilon(1e-6));
      }
    }
  }
}
