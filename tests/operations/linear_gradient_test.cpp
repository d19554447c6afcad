// The way back through linear attention on the reference: against central differences of the way there,
// through masks and rows without output, and in the words that explain it.
#include <doctest/doctest.h>

#include <cmath>

#include "core/operations/linear_attention.h"
#include "core/operations/operation.h"
#include "core/system/error.h"
#include "tests/operations/linear_layers.h"

using namespace attn;
using namespace attn::tests;

namespace {

// Inputs of the way there and dO.
struct LinearThere {
  LinearAttention op;
  std::vector<Tensor64> inputs;
  Tensor64 gradient;

  std::vector<Tensor64> all() const {
    std::vector<Tensor64> all = inputs;
    all.push_back(run_in_double(op, inputs));
    all.push_back(gradient);
    return all;
  }
  Tensor64 of(LinearSide side) const { return run_in_double(LinearGradient{op, side}, all()); }
  // Σ dO ⊙ O.
  double loss() const {
    const Tensor64 result = run_in_double(op, inputs);
    double sum = 0;
    for (std::size_t i = 0; i < gradient.values().size(); ++i) {
      const Cell cell = cell_at(gradient.shape(), i);
      sum += gradient[cell] * result[cell];
    }
    return sum;
  }
  double difference(std::size_t input, std::size_t place) const {
    constexpr double kStep = 1e-5;
    LinearThere ahead = *this, behind = *this;
    const double x = inputs[input].values()[place];
    ahead.inputs[input] = with_number(inputs[input], place, x + kStep);
    behind.inputs[input] = with_number(inputs[input], place, x - kStep);
    return (ahead.loss() - behind.loss()) / (2 * kStep);
  }
};

LinearThere linear_there(LinearAttention op) {
  return {std::move(op),
          {positives({4, 5, 3}, 1), positives({2, 7, 3}, 2), normal_numbers({2, 7, 2}, 3)},
          normal_numbers({4, 5, 2}, 4)};
}

// `first`: of the gradient's columns, the first that belongs to the input.
void check_linear_differences(const LinearThere& there, std::size_t input, const Tensor64& gradient,
                              std::size_t first) {
  const Tensor64& x = there.inputs[input];
  double largest = 0;
  for (const double number : gradient.values()) largest = std::max(largest, std::abs(number));
  for (std::size_t i = 0; i < x.values().size(); ++i) {
    const Cell cell = cell_at(x.shape(), i);
    const double a = gradient[{cell.head, cell.row, first + cell.column}], b = there.difference(input, i);
    INFO("input ", input, ", number ", i, ": ", a, ", by differences ", b);
    CHECK(std::abs(a - b) <= 1e-6 * std::max({std::abs(a), std::abs(b), 1e-3 * largest}));
  }
}

const std::vector<LinearAttention> kLinearRules{
    {},
    {.masks = {{CausalRule{}}}},
    {.masks = {{CausalRule{CausalAlign::top_left, 1}}}},
    {.masks = {{CausalRule{CausalAlign::lower_right, 0, 2}}, {PaddingRule{{6}}}}, .first = 2},
    {.masks = {{PaddingRule{{4}}}}}};

}  // namespace

TEST_CASE("what passes back through linear attention is what central differences of the way there give") {
  for (const LinearAttention& op : kLinearRules) {
    const LinearThere there = linear_there(op);
    const Tensor64 of_keys = there.of(LinearSide::keys);
    check_linear_differences(there, 0, there.of(LinearSide::queries), 0);
    check_linear_differences(there, 1, of_keys, 0);
    check_linear_differences(there, 2, of_keys, 3);
  }
}

TEST_CASE("nothing passes back through a query without an output, nor to a key that is not seen") {
  LinearThere there = linear_there({.masks = {{PaddingRule{{4}}}}});
  const Tensor64 before = there.of(LinearSide::keys);
  // The first query's features are 0, and keys and values behind the fourth are none.
  for (const std::size_t place : {0u, 1u, 2u}) there.inputs[0] = with_number(there.inputs[0], place, 0);
  there.inputs[1] = with_number(there.inputs[1], 3 * 5 + 1, kPoison);
  there.inputs[2] = with_number(there.inputs[2], 2 * 6, kPoison);
  const Tensor64 queries = there.of(LinearSide::queries), keys = there.of(LinearSide::keys);
  for (std::size_t i = 0; i < 3; ++i) CHECK(queries.values()[i] == 0);
  CHECK(queries.values()[3] != 0);
  for (const std::size_t row : {4u, 5u, 6u})
    for (std::size_t i = 0; i < 5; ++i) CHECK(keys[{0, row, i}] == 0);
  for (const double number : keys.values()) CHECK(std::isfinite(number));
  CHECK(keys[{0, 0, 0}] != before[{0, 0, 0}]);
  CHECK(keys[{1, 0, 0}] == before[{1, 0, 0}]);
}

TEST_CASE("a query whose output is not finite passes NaN to all that it sees") {
  LinearThere there = linear_there({.masks = {{CausalRule{CausalAlign::top_left}}}});
  there.gradient = with_number(there.gradient, 2, std::numeric_limits<double>::infinity());  // of the second
  const Tensor64 queries = there.of(LinearSide::queries), keys = there.of(LinearSide::keys);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(std::isnan(queries[{0, 1, i}]));
    CHECK(std::isfinite(queries[{0, 0, i}]));
    CHECK(std::isnan(keys[{0, 1, i}]));
    CHECK(std::isfinite(keys[{0, 2, i}]));
  }
}

TEST_CASE("gradients of linear attention open into their terms, and reach what depends on them") {
  for (const LinearAttention& op : kLinearRules) {
    const LinearThere there = linear_there(op);
    std::vector<Tensor> inputs;
    for (const Tensor64& input : there.all())
      inputs.emplace_back(input.shape(), std::vector<float>(input.values().begin(), input.values().end()));
    for (const LinearSide side : {LinearSide::queries, LinearSide::keys}) {
      const LinearGradient back{op, side};
      const Tensor64 result = run_in_double(back, to_doubles(inputs));
      for (std::size_t i = 0; i < result.values().size(); ++i) {
        const Explanation e = explain(back, inputs, cell_at(result.shape(), i));
        CHECK(e.result == doctest::Approx(result.values()[i]));
      }
      check_reach(back, there.all());
    }
  }
}

TEST_CASE("gradients of linear attention have shapes, and go no further back") {
  const LinearThere there = linear_there({});
  std::vector<Shape> shapes;
  for (const Tensor64& input : there.all()) shapes.push_back(input.shape());
  CHECK(result_shape(LinearGradient{{}, LinearSide::queries}, shapes) == Shape{4, 5, 3});
  CHECK(result_shape(LinearGradient{{}, LinearSide::keys}, shapes) == Shape{2, 7, 5});
  shapes[4].columns = 3;
  CHECK_THROWS_AS(result_shape(LinearGradient{{}, LinearSide::keys}, shapes), Error);
}
