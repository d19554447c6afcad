// Flash attention, there and back, under random lists of rules: the numbers are those that it has with the
// same mask as a matrix, and what the mask hides is not touched.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "core/operations/operation.h"
#include "core/reference/backend.h"
#include "core/tensor/random.h"
#include "tests/operations/opened_numbers.h"
#include "tests/random_rules.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::tests;

namespace {

Tensor64 drawn_normals(Shape shape, std::uint64_t seed, double deviation = 1) {
  std::vector<double> values(shape.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = deviation * random_normal(seed, i);
  return {shape, std::move(values)};
}

// The same number, or both none. Both sum the same terms in the same order.
bool same_numbers(const Tensor64& a, const Tensor64& b) {
  return a.shape() == b.shape() && std::ranges::equal(a.values(), b.values(), [](double x, double y) {
           return x == y || (std::isnan(x) && std::isnan(y));
         });
}

// An operation by rules, and the same by their matrix.
struct ByRules {
  FlashAttention op, by_matrix;
  std::vector<Tensor64> inputs;
  Tensor64 mask, gradient;

  ByRules(FlashAttention what, std::size_t n, std::size_t m, std::uint64_t seed, double deviation = 1)
      : op(std::move(what)),
        by_matrix(op),
        inputs{drawn_normals({4, n, 3}, seed, deviation), drawn_normals({2, m, 3}, seed + 1, deviation),
               drawn_normals({2, m, 2}, seed + 2)},
        mask(run_in_double(Mask{.queries = n, .keys = m, .rules = op.masks, .first = op.first}, {})),
        gradient(drawn_normals({4, n, 2}, seed + 3)) {
    by_matrix.masks.clear(), by_matrix.masked = true;
    if (op.bias) inputs.push_back(drawn_normals({1, n, m}, seed + 4));
  }

  std::vector<Tensor64> with_matrix() const {
    std::vector<Tensor64> all = inputs;
    all.push_back(mask);
    return all;
  }
  void check_same() const {
    const Tensor64 result = run_in_double(op, inputs), expected = run_in_double(by_matrix, with_matrix());
    CHECK(same_numbers(result, expected));
    if (op.weights) return;
    for (const FlashSide side : {FlashSide::queries, FlashSide::keys}) {
      std::vector<Tensor64> of_rules = inputs, of_matrix = with_matrix();
      of_rules.insert(of_rules.end(), {result, gradient});
      of_matrix.insert(of_matrix.end(), {expected, gradient});
      CHECK(same_numbers(run_in_double(FlashGradient{op, side}, of_rules),
                         run_in_double(FlashGradient{by_matrix, side}, of_matrix)));
    }
  }
  // That rows made alone are those of the whole. False: rules cannot say of them what they say of all.
  bool check_rows(const RowRange& rows) const {
    std::vector<Tensor> floats;
    std::vector<Shape> shapes;
    for (const Tensor64& input : inputs) {
      floats.push_back(to_float(input));
      shapes.push_back(input.shape());
    }
    if (!cut(op, shapes, rows)) return false;
    check_cut(op, floats, rows);
    return true;
  }
};

TEST_CASE("flash attention under any list of rules is that under their matrix") {
  std::mt19937 random(seed(342));
  const Dice dice{random};
  constexpr EmptyRow kChoices[]{EmptyRow::zeros, EmptyRow::nan, EmptyRow::uniform};
  int by_rows = 0;
  for (int i = 0; i < 300; ++i) {
    CAPTURE(i);
    const std::size_t n = dice.pick(1, 12), m = dice.pick(1, 12);
    FlashAttention op{.scale = 0.7,
                      .cap = dice.coin() ? 2.0 : 0,
                      .with_one = dice.pick(0, 3) == 0,
                      .empty_row = kChoices[dice.pick(0, 2)],
                      .alibi = dice.coin(),
                      .bias = dice.coin(),
                      .weights = dice.coin()};
    for (std::size_t term = dice.pick(1, 3); term > 0; --term) op.masks.push_back(random_term(random, n, m));
    op.first = static_cast<std::ptrdiff_t>(dice.pick(0, 6)) - 3;
    const ByRules layer(std::move(op), n, m, random());
    layer.check_same();
    const std::size_t first = dice.pick(0, n - 1);
    by_rows += layer.check_rows({first, dice.pick(1, n - first)});
  }
  CHECK(by_rows > 200);
}

TEST_CASE("rows of flash attention with a table by offset, a bias and a mask for each head are made alone") {
  const auto floats = [](Shape shape, std::uint64_t seed) { return to_float(drawn_normals(shape, seed)); };
  Tensor64 mask = drawn_normals({4, 7, 9}, 6);
  std::vector<float> hidden;
  for (const double x : mask.values()) hidden.push_back(x > 0.5 ? 1 : 0);
  const std::vector<Tensor> inputs{floats({4, 7, 3}, 1), floats({2, 9, 3}, 2), floats({2, 9, 2}, 3),
                                   floats({2, 1, 5}, 4), floats({1, 7, 9}, 5), Tensor({4, 7, 9}, hidden)};
  FlashAttention op{.masks = {{PaddingRule{{9, 8, 7, 6, 5, 4, 3}}}}, .first = 2, .offsets = Clip{2}};
  op.bias = op.masked = true;
  for (const bool weights : {false, true}) {
    op.weights = weights;
    check_cut(op, inputs, {2, 3});
    check_cut(op, inputs, {6, 1});
  }
}

TEST_CASE("scores of 80,000 under a stride are weighed as under its matrix") {
  // Products of three numbers of about 300 each.
  const FlashAttention op{.masks = {{StridedRule{3}}}};
  const ByRules large(op, 9, 11, 7, 300);
  double most = 0;
  const auto products =
      run_in_double(MatMul{.transpose_right = true}, std::vector{large.inputs[0], large.inputs[1]});
  for (const double x : products.values()) most = std::max(most, std::abs(x));
  CHECK(most > 80000);
  large.check_same();
}

TEST_CASE("what a stride hides never reaches flash attention, there or back") {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  // Query 0 keeps keys 0, 3 and 6 of 8; the others hold NaN.
  ByRules apart({.masks = {{StridedRule{3}}}}, 1, 8, 11);
  for (const std::size_t input : {1u, 2u}) {
    const Tensor64& x = apart.inputs[input];
    std::vector<double> values(x.values().begin(), x.values().end());
    for (std::size_t i = 0; i < values.size(); ++i)
      if (i / x.columns() % 8 % 3 != 0) values[i] = kNone;
    apart.inputs[input] = Tensor64(x.shape(), std::move(values));
  }
  const Tensor64 result = run_in_double(apart.op, apart.inputs);
  for (const double x : result.values()) CHECK(std::isfinite(x));
  apart.inputs.insert(apart.inputs.end(), {result, apart.gradient});
  const auto of_queries = run_in_double(FlashGradient{apart.op, FlashSide::queries}, apart.inputs);
  for (const double x : of_queries.values()) CHECK(std::isfinite(x));
  const Tensor64 of_keys = run_in_double(FlashGradient{apart.op, FlashSide::keys}, apart.inputs);
  for (std::size_t i = 0; i < of_keys.values().size(); ++i) {
    CHECK(std::isfinite(of_keys.values()[i]));
    if (i / of_keys.columns() % 8 % 3 != 0) CHECK(of_keys.values()[i] == 0);
  }
}

TEST_CASE("the pairs that rules leave are what flash attention is counted by") {
  // Queries 0 to 3 keep keys 0, 2 / 0, 1, 3 / 0, 1, 2 / 1, 2, 3 of 4.
  const std::vector<Shape> shapes{{2, 4, 3}, {1, 4, 3}, {1, 4, 5}};
  const FlashAttention op{.masks = {{StridedRule{2}}}};
  CHECK(kept_of(op, shapes).count == 11);
  CHECK(traits(op, shapes, result_shape(op, shapes)).counted == 22 * (2 * 8 + 6));
}

}  // namespace
