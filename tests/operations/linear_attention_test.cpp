// Linear attention on the reference: by hand, against a recurrence token by token and prefix sums, through
// masks, and in the words that explain it.
#include "core/operations/linear_attention.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/operations/backward.h"
#include "core/reference/backend.h"
#include "core/system/error.h"
#include "tests/contains.h"
#include "tests/operations/linear_layers.h"

using namespace attn;
using namespace attn::tests;

namespace {

const LinearAttention kCausalLinear{.masks = {{CausalRule{}}}};

std::string refused_linear(const LinearAttention& op, std::vector<Shape> shapes) {
  try {
    result_shape(op, shapes);
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

// What the first `keys` keys leave, by loops.
std::vector<double> state_by_loops(const Tensor64& k, const Tensor64& v, std::size_t matrix,
                                   std::size_t keys) {
  const std::size_t c = v.columns();
  std::vector<double> state(k.columns() * (c + 1));
  for (std::size_t j = 0; j < keys; ++j)
    for (std::size_t i = 0; i < k.columns(); ++i)
      for (std::size_t e = 0; e <= c; ++e)
        state[i * (c + 1) + e] += k[{matrix, j, i}] * (e < c ? v[{matrix, j, e}] : 1);
  return state;
}

Tensor32Inputs inputs_in_float() {
  return {Tensor({2, 3, 2}, {1, 2, 0, 0, 0.5f, 1, 2, 1, 1, 1, 3, 0}),
          Tensor({1, 3, 2}, {1, 0, 1, 1, 2, 0.5f}), Tensor({1, 3, 2}, {3, 1, 5, -2, 4, 0})};
}

}  // namespace

TEST_CASE("linear attention of two keys is what it is by hand") {
  const std::vector<Tensor64> inputs{Tensor64({1, 2, 2}, {1, 2, 0, 1}), Tensor64({1, 2, 2}, {1, 0, 1, 1}),
                                     Tensor64({1, 2, 1}, {3, 5})};
  // Products 1 and 3, 0 and 1.
  const Tensor64 all = run_in_double(LinearAttention{}, inputs);
  CHECK(all.shape() == Shape{1, 2, 2});
  CHECK(all[{0, 0, 0}] == doctest::Approx(18.0 / 4));
  CHECK(all[{0, 0, 1}] == 4);
  CHECK(all[{0, 1, 0}] == 5);
  CHECK(all[{0, 1, 1}] == 1);
  const Tensor64 causal = run_in_double(kCausalLinear, inputs);
  CHECK(causal[{0, 0, 0}] == 3);
  CHECK(causal[{0, 0, 1}] == 1);
  CHECK(causal[{0, 1, 0}] == 5);
  const Tensor64 state = run_in_double(LinearState{2}, {&inputs[1], 2});
  CHECK(state.shape() == Shape{1, 2, 2});
  CHECK(state[{0, 0, 0}] == 8);
  CHECK(state[{0, 0, 1}] == 2);
  CHECK(state[{0, 1, 0}] == 5);
  CHECK(state[{0, 1, 1}] == 1);
}

TEST_CASE("a recurrence token by token, prefix sums and sums over pairs are one") {
  for (const auto& [heads, shared, n, m] : {LinearHeadsOf{1, 1, 9, 9}, {4, 2, 5, 11}, {3, 1, 12, 7}}) {
    const std::vector<Tensor64> inputs{positives({heads, n, 5}, 1), positives({shared, m, 5}, 2),
                                       normal_numbers({shared, m, 3}, 3)};
    for (const LinearAttention& op : {LinearAttention{}, kCausalLinear,
                                      LinearAttention{.masks = {{CausalRule{CausalAlign::top_left, 2}}}},
                                      LinearAttention{.masks = {{CausalRule{}}, {PaddingRule{{m - 2}}}}},
                                      LinearAttention{.masks = {{PaddingRule{{0}}}}}}) {
      const Tensor64 result = run_in_double(op, inputs), by_recurrence = recurrence(op, inputs);
      REQUIRE(result.shape() == by_recurrence.shape());
      for (std::size_t i = 0; i < result.values().size(); ++i)
        CHECK(result.values()[i] == doctest::Approx(by_recurrence.values()[i]).epsilon(1e-12));
    }
    for (std::size_t keys = 0; keys <= m; ++keys) {
      const Tensor64 state = run_in_double(LinearState{keys}, {&inputs[1], 2});
      for (std::size_t matrix = 0; matrix < shared; ++matrix) {
        const std::vector<double> by_loops = state_by_loops(inputs[1], inputs[2], matrix, keys);
        for (std::size_t i = 0; i < by_loops.size(); ++i)
          CHECK(state.values()[matrix * by_loops.size() + i] == doctest::Approx(by_loops[i]).epsilon(1e-12));
      }
    }
  }
}

TEST_CASE("what a query does not see reaches it not; without keys it has 0, without a sum none") {
  std::vector<Tensor64> inputs{positives({1, 3, 2}, 1), positives({1, 3, 2}, 2),
                               normal_numbers({1, 3, 2}, 3)};
  const Tensor64 clean = run_in_double(kCausalLinear, inputs);
  inputs[1] = with_number(inputs[1], 5, kPoison), inputs[2] = with_number(inputs[2], 4, kPoison);
  const Tensor64 result = run_in_double(kCausalLinear, inputs);
  for (std::size_t i = 0; i < 6; ++i) CHECK(result.values()[i] == clean.values()[i]);
  CHECK(std::isnan(result[{0, 2, 0}]));
  const Tensor64 empty = run_in_double(LinearAttention{.masks = {{PaddingRule{{0}}}}}, inputs);
  for (const double number : empty.values()) CHECK(number == 0);
  const Tensor64 none = run_in_double(
      LinearAttention{}, std::vector<Tensor64>{Tensor64({1, 1, 2}, {1, 0}), Tensor64({1, 2, 2}, {0, 3, 0, 1}),
                                               normal_numbers({1, 2, 2}, 3)});
  CHECK(std::isnan(none[{0, 0, 0}]));
  CHECK(std::isnan(none[{0, 0, 1}]));
  CHECK(none[{0, 0, 2}] == 0);
}

TEST_CASE("linear attention says what does not fit") {
  CHECK(contains(refused_linear({}, {{2, 3, 4}, {1, 5, 3}, {1, 5, 2}}),
                 "φ(Q) of " + to_string(Shape{2, 3, 4})));
  CHECK(contains(refused_linear({}, {{3, 3, 4}, {2, 5, 4}, {2, 5, 2}}), "do not fit each other"));
  const std::vector<Shape> fitting{{2, 3, 4}, {1, 5, 4}, {1, 5, 2}};
  CHECK(result_shape(LinearAttention{}, fitting) == Shape{2, 3, 3});
  CHECK(refused_linear({.masks = {{CausalRule{}}, {PaddingRule{{3}}}}}, fitting).empty());
  const auto says = [&](std::vector<MaskTerm> masks, const char* rule) {
    CHECK(!leaves_first_keys(masks));
    return contains(refused_linear({.masks = std::move(masks)}, fitting),
                    std::string("linear attention takes causal masks and padding alone: ") + rule);
  };
  CHECK(says({{WindowRule{2}}}, "window"));
  CHECK(says({{CausalRule{}}, {RandomRule{}}}, "random"));
  CHECK(says({{CausalRule{}, true}}, "not causal"));
  CHECK(says({{CausalRule{}}, {PaddingRule{{2}}, false, Join::all}}, "and padding"));
  CHECK(says({{PaddingRule{{1, 2, 3}}}}, "padding of several lengths"));
  CHECK_THROWS_WITH_AS(result_shape(LinearState{6}, std::vector<Shape>{{1, 5, 4}, {1, 5, 2}}),
                       "a state after 6 keys does not fit φ(K) of 5×4", Error);
}

TEST_CASE("every number of linear attention opens into the terms that made it") {
  const auto inputs = inputs_in_float();
  const std::vector<Tensor64> wide = to_doubles(inputs);
  for (const LinearAttention& op : {LinearAttention{}, kCausalLinear}) {
    const Tensor64 result = run_in_double(op, wide);
    for (std::size_t i = 0; i < result.values().size(); ++i) {
      const Explanation e = explain(op, inputs, cell_at(result.shape(), i));
      CAPTURE(i);
      CHECK((std::isnan(e.result) ? std::isnan(result.values()[i])
                                  : e.result == doctest::Approx(result.values()[i])));
    }
  }
  const Explanation output = explain(kCausalLinear, inputs, {0, 2, 1}),
                    z = explain(LinearAttention{}, inputs, {0, 0, 2});
  CHECK(output.rule == "Σ (φ(q) · φ(k) ÷ z) × value over the keys that it sees");
  CHECK(output.terms.size() == 3);
  CHECK(z.terms.size() == 2);  // features
  CHECK(z.terms[0].value == 4);
  CHECK(z.terms[1].value == 3);
  CHECK(explain(LinearAttention{}, inputs, {0, 1, 0}).rule == "φ(q) · Σ φ(k) is 0: no output");
  const std::span<const Tensor> keys(&inputs[1], 2);
  CHECK(explain(LinearState{2}, keys, {0, 1, 1}).result == -2);
  CHECK(explain(LinearState{2}, keys, {0, 0, 2}).result == 2);
  CHECK(explain(LinearState{0}, keys, {0, 0, 2}).rule == "no key yet: 0");
}

TEST_CASE("a number reaches what changes with it and nothing else") {
  const std::vector<Tensor64> inputs{positives({4, 5, 2}, 1), positives({2, 6, 2}, 2),
                                     normal_numbers({2, 6, 3}, 3)};
  for (const LinearAttention& op :
       {LinearAttention{}, kCausalLinear, LinearAttention{.masks = {{PaddingRule{{4}}}}}})
    check_reach(op, inputs);
  check_reach(LinearState{4}, {inputs[1], inputs[2]});
}

TEST_CASE("rows of linear attention are made alone where its masks can say so") {
  const std::vector<Tensor64> inputs{positives({2, 6, 3}, 1), positives({1, 8, 3}, 2),
                                     normal_numbers({1, 8, 2}, 3)};
  const std::vector<Shape> shapes{inputs[0].shape(), inputs[1].shape(), inputs[2].shape()};
  for (LinearAttention op :
       {LinearAttention{}, kCausalLinear,
        LinearAttention{.masks = {{CausalRule{CausalAlign::top_left, 1, 2}}, {PaddingRule{{5}}}}}}) {
    const Tensor64 whole = run_in_double(op, inputs);
    REQUIRE(Family<LinearAttention>::cut(op, shapes, {2, 3}));
    const Tensor64 rows =
        run_in_double(op, std::vector<Tensor64>{rows_of(inputs[0], 2, 3), inputs[1], inputs[2]});
    for (std::size_t i = 0; i < rows.values().size(); ++i) {
      const Cell cell = cell_at(rows.shape(), i);
      CHECK(rows.values()[i] == whole[{cell.head, cell.row + 2, cell.column}]);
    }
  }
  LinearAttention before_keys = kCausalLinear;  // more queries than keys: the first see none
  CHECK(!Family<LinearAttention>::cut(before_keys, std::vector<Shape>{{1, 9, 3}, {1, 4, 3}, {1, 4, 2}},
                                      {2, 3}));
}

TEST_CASE("linear attention is counted by its state") {
  const std::vector<Shape> shapes{{4, 10, 6}, {2, 8, 6}, {2, 8, 5}};
  // φ(K)ᵀV and Σφ(K), φ(Q)S, φ(Q)·z and the division.
  const double keys = 2 * 8 * 6 * (2 * 5 + 1), queries = 4 * 10 * (2 * 6 * 5 + 2 * 6 + 5);
  CHECK(traits(LinearAttention{}, shapes, Shape{4, 10, 6}).counted == keys + queries);
  CHECK(traits(LinearState{8}, std::vector<Shape>{shapes[1], shapes[2]}, Shape{2, 6, 6}).counted == keys);
  CHECK(backward(LinearState{8}, std::vector<Shape>{shapes[1], shapes[2]}, Shape{2, 6, 6}).missing ==
        "it is made beside the output");
}
