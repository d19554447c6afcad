// Rows and columns of weights that say something: masked, saturated, collapsed, a sink, without a key; and a
// painted mask that is nearly a rule.
#include "core/checks/checks.h"

#include <cmath>

#include "tests/core/checked.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("a weight of a millionth on a masked key is found") {
  LayerSpec layer = three_tokens();
  set_causal(layer, CausalAlign::lower_right);
  const Checks checks = check(evaluate(layer, {typed("weights", {0, 0, 2}, 1e-6f)}));
  CHECK(!only(checks).masked_weight.holds());
  CHECK(only(checks).masked_weight.where == Cell{0, 0, 2});
  CHECK(only(checks).masked_weight.total == doctest::Approx(1e-6));
}

TEST_CASE("weights on masked keys are counted head by head and the largest of all is told") {
  LayerSpec layer = three_tokens();
  const auto twice = [](const Tensor& of) {
    std::vector<float> values(of.values().begin(), of.values().end());
    values.insert(values.end(), of.values().begin(), of.values().end());
    return Tensor({2, of.rows(), of.columns()}, std::move(values));
  };
  layer.q = twice(layer.q), layer.k = twice(layer.k), layer.v = twice(layer.v);
  set_causal(layer, CausalAlign::lower_right);
  const Checks checks =
      check(evaluate(layer, {typed("weights", {0, 0, 1}, 0.25f), typed("weights", {1, 0, 2}, 0.125f),
                             typed("weights", {1, 1, 2}, -0.5f)}));
  const SoftmaxChecks& found = only(checks);
  REQUIRE(found.masked_in_heads.size() == 2);
  CHECK(found.masked_in_heads[0].cells == 1);
  CHECK(found.masked_in_heads[0].where == Cell{0, 0, 1});
  CHECK(found.masked_in_heads[1].cells == 2);
  CHECK(found.masked_in_heads[1].largest == 0.5);
  CHECK(found.masked_in_heads[1].total == 0.625);
  CHECK(found.masked_weight.cells == 3);
  CHECK(found.masked_weight.total == 0.875);
  CHECK(found.masked_weight.where == Cell{1, 1, 2});
}

TEST_CASE("the largest weight of rows that have a choice is told with the gap of its scores") {
  LayerSpec layer = three_tokens();
  set_causal(layer, CausalAlign::lower_right);
  const RowSaturation saturation = only(check(evaluate(layer))).saturation;
  // Row 0 has one key and no choice. Row 2: scores 1, 0, ½ leave e/(e + 1 + √e) = .5065 for key 0.
  CHECK(saturation.rows == 2);
  CHECK(saturation.largest_weight == doctest::Approx(0.506480).epsilon(1e-5));
  CHECK(saturation.gap == doctest::Approx(0.5));
  CHECK(saturation.where == Cell{0, 2, 0});
  CHECK(saturation.collapsed == 0);
}

TEST_CASE("rows that gave all their weight to one key are collapsed") {
  LayerSpec layer = three_tokens();
  layer.scale = {.mode = ScaleMode::number, .number = 40};
  // Rows: 40 40 80, 40 40 0, 80 0 40: the middle one shares equally.
  const RowSaturation saturation = only(check(evaluate(layer))).saturation;
  CHECK(saturation.rows == 3);
  CHECK(saturation.collapsed == 2);
  CHECK(saturation.first_collapsed == Cell{0, 0, 2});
  CHECK(saturation.gap == doctest::Approx(40));
}

TEST_CASE("a column with more than half of all weight is a sink") {
  LayerSpec layer = three_tokens();
  CHECK(only(check(evaluate(layer))).sinks.empty());
  layer.bias = Tensor({1, 3, 3}, {0, 3, 0, 0, 3, 0, 0, 3, 0});
  const Checks checks = check(evaluate(layer));
  REQUIRE(only(checks).sinks.size() == 1);
  const AttentionSink sink = only(checks).sinks[0];
  CHECK(sink.key == 1);
  // Scores .5 .5 1, .5 .5 0, 1 0 .5, and 3 more for key 1.
  const auto share = [](double a, double b, double c) {
    return std::exp(b + 3) / (std::exp(a) + std::exp(b + 3) + std::exp(c));
  };
  CHECK(sink.share ==
        doctest::Approx((share(.5, .5, 1) + share(.5, .5, 0) + share(1, 0, .5)) / 3).epsilon(1e-5));
  CHECK(sink.where == Cell{0, 1, 1});
}

TEST_CASE("a row with no key left is named") {
  LayerSpec layer = three_tokens();
  set_padding(layer, {3, 0, 0});
  const Checks checks = check(evaluate(layer));
  CHECK(only(checks).row_sums.rows_without_key == 2);
  CHECK(only(checks).row_sums.first_without_key == Cell{0, 1, 0});
}

TEST_CASE("a painted mask is compared with the rules where it hides scores") {
  Random random(5);
  LayerSpec layer;
  layer.direct = true;
  layer.q = layer.k = layer.v = normal(random, {2, 9, 3});
  layer.mask = causal_but({1, 9, 9}, {{0, 4, 7}, {0, 5, 2}});
  const Results results = evaluate(layer);
  const Checks checks = check(results);
  REQUIRE(checks.masks.size() == 1);
  CHECK(results.graph.stages[checks.masks[0].stage].id == "masked");
  CHECK(checks.masks[0].like.cells == 2);
  CHECK(checks.masks[0].like.first == Cell{0, 4, 7});
  layer.mask = causal_but({2, 9, 9}, {{1, 0, 3}});
  const Checks both = check(evaluate(layer));
  REQUIRE(both.masks.size() == 2);
  CHECK(both.masks[0].like.cells == 0);
  CHECK(both.masks[1].like.first == Cell{1, 0, 3});
}
