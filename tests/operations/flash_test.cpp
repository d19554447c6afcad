// Flash attention on the reference against the operations that it stands for, under every list of rules.
#include "core/operations/flash.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/operations/operation.h"
#include "core/reference/backend.h"
#include "core/system/error.h"
#include "core/tensor/random.h"

using namespace attn;

namespace {

Tensor64 normal(Shape shape, std::uint64_t seed) {
  std::vector<double> values(shape.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = random_normal(seed, i);
  return {shape, std::move(values)};
}

Tensor64 run_op(const Operation& operation, const std::vector<Tensor64>& inputs) {
  return run_in_double(operation, inputs);
}

struct Stepwise {
  Tensor64 weights, outputs;
};

// softmax(scale·Q·Kᵀ + bias, masked)·V step by step, by the stages of a layer.
Stepwise stepwise(const FlashAttention& op, const std::vector<Tensor64>& inputs) {
  const std::size_t heads = inputs[0].stack(), queries = inputs[0].rows(), keys = inputs[1].rows();
  Tensor64 s = run_op(MatMul{.transpose_right = true}, {inputs[0], inputs[1]});
  s = run_op(Scale{.factor = op.scale, .text = {}}, {s});
  if (op.cap > 0) s = run_op(Tanh{op.cap}, {s});
  if (op.alibi) s = run_op(Add{}, {s, run_op(DistanceBias{heads, queries, keys, op.first}, {})});
  const FlashInputs at(op);
  if (op.offsets)
    s = run_op(Add{}, {s, run_op(ByOffset{*op.offsets, queries, keys, op.first}, {inputs[at.offsets]})});
  if (op.bias) s = run_op(Add{}, {s, inputs[at.bias]});
  const Mask mask{.queries = queries, .keys = keys, .rules = op.masks, .first = op.first};
  s = run_op(MaskFill{}, {s, run_op(mask, at.mask ? std::vector{inputs[at.mask]} : std::vector<Tensor64>{})});
  const Tensor64 top =
      op.with_one ? run_op(RowStatistic{RowFigure::largest_or_zero}, {s}) : run_op(RowMaximum{}, {s});
  const Tensor64 e = run_op(Exponential{.empty_row = op.empty_row}, {s, top});
  const Tensor64 sum = op.with_one ? run_op(RowSumWithOne{}, {e, top}) : run_op(RowSum{}, {e});
  const Tensor64 weights = run_op(Normalize{}, {e, sum});
  return {weights, run_op(MatMul{}, {weights, inputs[2]})};
}

// `steps`: what the columns of `flash` are from `first` on.
void check_columns(const Tensor64& flash, std::size_t first, const Tensor64& steps) {
  for (std::size_t h = 0; h < steps.stack(); ++h)
    for (std::size_t i = 0; i < steps.rows(); ++i)
      for (std::size_t j = 0; j < steps.columns(); ++j) {
        const double a = steps[{h, i, j}], b = flash[{h, i, first + j}];
        CHECK((a == b || a == doctest::Approx(b).epsilon(1e-12) || (std::isnan(a) && std::isnan(b))));
      }
}

void check_equal(FlashAttention op, const std::vector<Tensor64>& inputs) {
  const auto [weights, outputs] = stepwise(op, inputs);
  const Tensor64 without = run_op(op, inputs);
  REQUIRE(without.columns() == outputs.columns() + 1);
  check_columns(without, 0, outputs);
  op.weights = true;
  const Tensor64 with = run_op(op, inputs);
  REQUIRE(with.columns() == without.columns() + weights.columns());
  check_columns(with, 0, without);
  check_columns(with, without.columns(), weights);
}

Tensor64 every_third(Shape shape) {
  std::vector<double> values(shape.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i % 3 == 0;
  for (std::size_t j = 0; j < shape.columns; ++j) values[shape.columns + j] = 1;  // row 1 sees no key
  return {shape, std::move(values)};
}

TEST_CASE("flash attention is the stages that it stands for") {
  const std::vector<Tensor64> qkv{normal({4, 5, 3}, 1), normal({2, 9, 3}, 2), normal({2, 9, 2}, 3)};
  const auto with = [&](std::vector<Tensor64> more) {
    std::vector<Tensor64> inputs = qkv;
    inputs.insert(inputs.end(), more.begin(), more.end());
    return inputs;
  };
  check_equal({.scale = 0.7}, qkv);
  check_equal({.scale = 3, .cap = 2}, qkv);
  check_equal({.with_one = true, .masks = {{PaddingRule{{0}}}}}, qkv);
  for (const EmptyRow empty : {EmptyRow::zeros, EmptyRow::nan, EmptyRow::uniform})
    check_equal({.empty_row = empty, .masks = {{CausalRule{CausalAlign::lower_right}}}, .masked = true},
                with({every_third({1, 5, 9})}));
  check_equal({.masks = {{WindowRule{2}}, {BlocksRule{{3, 4}}}}, .first = 4}, qkv);
  check_equal({.masks = {{StridedRule{2}}, {CausalRule{}}}, .first = 4}, qkv);
  check_equal({.masks = {{WindowRule{1}}, {GlobalRule{{1, 7}}}}, .alibi = true}, qkv);
  check_equal({.masks = {{WindowRule{1}, true}, {RandomRule{3, 5}, false, Join::all}}, .masked = true},
              with({every_third({1, 5, 9})}));
  check_equal({.first = 4, .alibi = true}, qkv);
  check_equal({.offsets = Clip{2}, .bias = true}, with({normal({2, 1, 5}, 4), normal({4, 5, 9}, 5)}));
  check_equal({.alibi = true, .offsets = Buckets{8, 20, false}}, with({normal({1, 1, 8}, 6)}));
}

TEST_CASE("the log-sum-exp of flash attention") {
  // Scores 1 and 3: ln(e + e³) = 3 + ln(1 + e⁻²).
  const std::vector<Tensor64> inputs{Tensor64({1, 1, 1}, {1}), Tensor64({1, 2, 1}, {1, 3}),
                                     Tensor64({1, 2, 1}, {10, 20})};
  CHECK(run_op(FlashAttention{}, inputs)[{0, 0, 1}] == doctest::Approx(3.1269280110429727).epsilon(1e-15));
  CHECK(run_op(FlashAttention{.with_one = true}, inputs)[{0, 0, 1}] ==
        doctest::Approx(std::log(1 + std::exp(1.0) + std::exp(3.0))).epsilon(1e-15));
  CHECK(run_op(FlashAttention{.masks = {{PaddingRule{{0}}}}}, inputs)[{0, 0, 1}] ==
        -std::numeric_limits<double>::infinity());
}

TEST_CASE("a masked key has no part in flash attention, whatever it holds") {
  const double nan = std::nan("");
  const std::vector<Tensor64> inputs{Tensor64({1, 1, 1}, {1}), Tensor64({1, 2, 1}, {1, nan}),
                                     Tensor64({1, 2, 1}, {10, nan})};
  const Tensor64 result = run_op(FlashAttention{.masks = {{PaddingRule{{1}}}}, .weights = true}, inputs);
  CHECK(result[{0, 0, 0}] == 10);
  CHECK(result[{0, 0, 1}] == 1);
  CHECK(result[{0, 0, 2}] == 1);
  CHECK(result[{0, 0, 3}] == 0);
}

TEST_CASE(
    "A weight that flash attention writes is explained by its score, and all of a row's come from its "
    "query") {
  // Scores 1 and 3: the weight of the second is 1 ÷ (1 + e⁻²).
  const std::vector<Tensor> inputs{Tensor({1, 1, 1}, {1}), Tensor({1, 2, 1}, {1, 3}),
                                   Tensor({1, 2, 1}, {10, 20})};
  const Operation plain = FlashAttention{.weights = true};
  CHECK(explain(plain, inputs, {0, 0, 3}).result == doctest::Approx(0.88079707797788243).epsilon(1e-15));
  const Operation padded = FlashAttention{.masks = {{PaddingRule{{1}}}}, .weights = true};
  CHECK(explain(padded, inputs, {0, 0, 3}).rule == "masked: 0");
  const Operation none =
      FlashAttention{.empty_row = EmptyRow::uniform, .masks = {{PaddingRule{{0}}}}, .weights = true};
  CHECK(explain(none, inputs, {0, 0, 3}).result == 0.5);
  CHECK(explain(none, inputs, {0, 0, 3}).rule == "no key left: all keys alike");
  const std::vector<Shape> shapes{{1, 1, 1}, {1, 2, 1}, {1, 2, 1}};
  CHECK(reach(plain, shapes, 0, {0, 0, 0}) == Regions({0, 0, 0}, {1, 1, 4}));
  CHECK(reach(plain, shapes, 1, {0, 1, 0}) == Regions({0, 0, 0}, {1, 1, 4}));
  CHECK(reach(plain, shapes, 2, {0, 1, 0}) == Regions({0, 0, 0}, {1, 1, 1}));
}

TEST_CASE("widths beyond 256 are refused by flash attention") {
  const std::vector<Shape> shapes{{1, 2, 257}, {1, 2, 257}, {1, 2, 3}};
  CHECK_THROWS_WITH_AS(result_shape(FlashAttention{}, shapes),
                       "flash attention: heads are 257 wide; it takes at most 256", Error);
}

}  // namespace
