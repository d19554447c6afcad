// The checks on a layer of three tokens whose scores are small enough to work out sums and entropies by hand,
// broken in one place at a time.
#include "core/checks/checks.h"

#include <cmath>

#include "core/evaluate/evaluator.h"
#include "core/reference/backend.h"
#include "tests/core/checked.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("an ordinary layer passes every check") {
  const Checks checks = check(evaluate(three_tokens()));
  CHECK(only(checks).row_sums.holds());
  CHECK(only(checks).row_sums.rows_without_key == 0);
  CHECK(only(checks).masked_weight.holds());
  CHECK(checks.faults.empty());
}

TEST_CASE("the entropy of a row is ln Z minus the expected score") {
  const Results results = evaluate(three_tokens());
  // Row 0: scores .5 .5 1, Z = 2·e^.5 + e = 6.015724, expected score .274069·.5·2 + .451862 = .725931.
  const Entropy entropy = row_entropy(results, weights_of(results), 0, 0);
  const double z = 2 * std::exp(0.5) + std::exp(1.0);
  const double expected = std::log(z) - (std::exp(0.5) + std::exp(1.0)) / z;
  CHECK(expected == doctest::Approx(1.068446).epsilon(1e-6));
  CHECK(entropy.nats == doctest::Approx(expected).epsilon(1e-6));
  CHECK(entropy.maximum == doctest::Approx(std::log(3.0)));
}

TEST_CASE("a causal row can spread over the keys that are left and no others") {
  LayerSpec layer = three_tokens();
  set_causal(layer, CausalAlign::lower_right);
  const Results results = evaluate(layer);
  CHECK(keys_left(results, weights_of(results), 0, 0) == 1);
  CHECK(keys_left(results, weights_of(results), 0, 1) == 2);
  CHECK(keys_left(results, weights_of(results), 0, 2) == 3);
  CHECK(row_entropy(results, weights_of(results), 0, 0).nats == 0);
  CHECK(row_entropy(results, weights_of(results), 0, 0).maximum == 0);
  // Row 1: scores .5 and .5, one half each: ln 2, all there is.
  CHECK(row_entropy(results, weights_of(results), 0, 1).nats == doctest::Approx(std::log(2.0)));
  CHECK(row_entropy(results, weights_of(results), 0, 1).maximum == doctest::Approx(std::log(2.0)));
  CHECK(is_masked(results, weights_of(results), {0, 0, 1}));
  CHECK(!is_masked(results, weights_of(results), {0, 1, 1}));
  const Checks checks = check(results);
  REQUIRE(only(checks).heads.size() == 1);
  CHECK(only(checks).heads[0].maximum == doctest::Approx((std::log(2.0) + std::log(3.0)) / 3));
  CHECK(only(checks).masked_weight.holds());
  CHECK(checks.faults.empty());  // the -inf of masked is no fault
}

TEST_CASE("a weight typed over breaks the sum of its row and no other") {
  const Results results = evaluate(three_tokens(), {typed("weights", {0, 1, 0}, 0.75f)});
  const Checks checks = check(results);
  CHECK(!only(checks).row_sums.holds());
  CHECK(only(checks).row_sums.where == Cell{0, 1, 0});
  // Row 1 was e^.5/(2e^.5 + 1) twice and 1/(2e^.5 + 1): the first becomes .75.
  const double z = 2 * std::exp(0.5) + 1;
  CHECK(only(checks).row_sums.sum == doctest::Approx(0.75 + (std::exp(0.5) + 1) / z).epsilon(1e-6));
  CHECK(only(checks).row_sums.largest_deviation == doctest::Approx(only(checks).row_sums.sum - 1));
  CHECK(row_sum(results, weights_of(results), 0, 1) == doctest::Approx(only(checks).row_sums.sum));
}

TEST_CASE("a row with no key left may be zeros and is counted") {
  LayerSpec layer = three_tokens();
  set_padding(layer, {0, 3, 2});
  const Results results = evaluate(layer);
  const Checks checks = check(results);
  CHECK(only(checks).row_sums.rows_without_key == 1);
  CHECK(only(checks).row_sums.holds());
  CHECK(checks.faults.empty());  // neither is the -inf of its row maximum
  CHECK(keys_left(results, weights_of(results), 0, 0) == 0);
  CHECK(row_entropy(results, weights_of(results), 0, 0).maximum == 0);
  layer.empty_row = EmptyRow::nan;
  const Results broken = evaluate(layer);
  const Checks nan = check(broken);
  CHECK(std::isinf(only(nan).row_sums.largest_deviation));
  CHECK(only(nan).row_sums.where == Cell{0, 0, 0});
  REQUIRE(!nan.faults.empty());
  CHECK(broken.graph.stages[nan.faults[0].stage].id == "exp");
  CHECK(nan.faults[0].nan == 3);
}

TEST_CASE("weight on masked keys is found where a finite fill leaves some") {
  LayerSpec layer = three_tokens();
  set_padding(layer, {0, 3, 2});
  layer.fill = Fill::minus_1e9;  // a row of equal scores: one third each, all of it on masked keys
  const Checks checks = check(evaluate(layer));
  CHECK(!only(checks).masked_weight.holds());
  CHECK(only(checks).masked_weight.total == doctest::Approx(1));
  CHECK(only(checks).masked_weight.largest == doctest::Approx(1 / 3.0));
  CHECK(only(checks).masked_weight.where == Cell{0, 0, 0});
}

TEST_CASE("rows of softmax-1 may sum to less than 1 and not to more") {
  LayerSpec layer = three_tokens();
  layer.weighting = Weighting::softmax_1;
  const Checks checks = check(evaluate(layer));
  CHECK(only(checks).row_sums.promised == RowTotal::below_one);
  CHECK(only(checks).row_sums.holds());
  // Row 0: scores .5 .5 1, Z = 2·e^.5 + e: Z ÷ (1 + Z) of the weight is given away.
  const double z = 2 * std::exp(0.5) + std::exp(1.0);
  CHECK(row_sum(evaluate(layer), weights_of(evaluate(layer)), 0, 0) == doctest::Approx(z / (1 + z)));
  CHECK(only(checks).row_sums.most < 1);
  CHECK(only(checks).heads.empty());
  const Checks broken = check(evaluate(layer, {typed("weights", {0, 2, 1}, 0.9f)}));
  CHECK_FALSE(only(broken).row_sums.holds());
  CHECK(only(broken).row_sums.where == Cell{0, 2, 0});
}

TEST_CASE("rows of sparsemax sum to 1 and rows of the sigmoid and of ReLU to what they come to") {
  LayerSpec layer = three_tokens();
  layer.weighting = Weighting::sparsemax;
  CHECK(only(check(evaluate(layer))).row_sums.holds());
  CHECK_FALSE(only(check(evaluate(layer, {typed("weights", {0, 0, 0}, 0.5f)}))).row_sums.holds());
  layer.weighting = Weighting::relu;
  const Checks checks = check(evaluate(layer));
  CHECK(only(checks).row_sums.promised == RowTotal::any);
  CHECK(only(checks).row_sums.holds());
  // Scores .5 .5 1 · .5 .5 0 · 1 0 .5, each a third.
  CHECK(only(checks).row_sums.least == doctest::Approx(1 / 3.0));
  CHECK(only(checks).row_sums.most == doctest::Approx(2 / 3.0));
  CHECK(only(check(evaluate(layer, {typed("weights", {0, 0, 0}, 5)}))).row_sums.holds());
  const Checks nan = check(evaluate(layer, {typed("weights", {0, 1, 0}, kFloatNan)}));
  CHECK(std::isinf(only(nan).row_sums.largest_deviation));
}

TEST_CASE("weight on masked keys is found under every weighting") {
  for (std::size_t kind = 0; kind < kLayerWeightings; ++kind) {
    LayerSpec layer = three_tokens();
    layer.weighting = static_cast<Weighting>(kind);
    set_padding(layer, {0, 3, 2});
    const Checks checks = check(evaluate(layer));
    INFO(kWeightings[kind].word);
    CHECK(only(checks).masked_weight.holds());
    CHECK(only(checks).row_sums.holds());
    CHECK(only(checks).row_sums.rows_without_key == 1);
    CHECK(checks.faults.empty());
    const Checks broken = check(evaluate(layer, {typed("weights", {0, 2, 2}, 1e-6f)}));
    CHECK_FALSE(only(broken).masked_weight.holds());
    CHECK(only(broken).masked_weight.where == Cell{0, 2, 2});
  }
}

TEST_CASE("NaN and infinity are counted in each stage with the first culprit") {
  LayerSpec layer = three_tokens();
  layer.k = with_value(layer.k, {0, 1, 2}, kFloatNan);
  const Results results = evaluate(layer);
  const Checks checks = check(results);
  REQUIRE(!checks.faults.empty());
  CHECK(results.graph.stages[checks.faults[0].stage].id == "k");
  CHECK(checks.faults[0].nan == 1);
  CHECK(checks.faults[0].first == Cell{0, 1, 2});
  REQUIRE(faults_of(results, checks, "scores"));
  CHECK(faults_of(results, checks, "scores")->nan == 3);  // key 1's column
  CHECK(faults_of(results, checks, "scores")->first == Cell{0, 0, 1});
  REQUIRE(faults_of(results, checks, "weights"));
  CHECK(faults_of(results, checks, "weights")->nan == 9);  // then every row
  CHECK(!faults_of(results, checks, "v"));
}

TEST_CASE("a minus infinity in a bias is a mask and a plus infinity is a fault") {
  LayerSpec layer = three_tokens();
  layer.bias =
      Tensor({1, 3, 3}, {0, -kFloatInfinity, 0, 0, 0, 0, -kFloatInfinity, -kFloatInfinity, -kFloatInfinity});
  const Results masked = evaluate(layer);
  CHECK(check(masked).faults.empty());
  CHECK(keys_left(masked, weights_of(masked), 0, 0) == 2);
  CHECK(keys_left(masked, weights_of(masked), 0, 2) == 0);
  layer.bias = with_value(layer.bias, {0, 0, 1}, kFloatInfinity);
  const Results infinite = evaluate(layer);
  const Checks checks = check(infinite);
  REQUIRE(faults_of(infinite, checks, "user_bias"));
  CHECK(faults_of(infinite, checks, "user_bias")->infinite == 1);
  CHECK(faults_of(infinite, checks, "user_bias")->first == Cell{0, 0, 1});
}

TEST_CASE("a minus infinity that nothing masked is a fault") {
  LayerSpec layer = three_tokens();
  layer.q = with_value(layer.q, {0, 0, 0}, -kFloatInfinity);
  const Results results = evaluate(layer);
  const Checks checks = check(results);
  REQUIRE(!checks.faults.empty());
  CHECK(results.graph.stages[checks.faults[0].stage].id == "q");
  CHECK(checks.faults[0].infinite == 1);
}

TEST_CASE("checking gives up when it is told to") {
  int asked = 0;
  CHECK(!check(evaluate(three_tokens()), [&] { return ++asked == 2; }));
  CHECK(asked == 2);
}

TEST_CASE("results without weights have nothing to check but their numbers") {
  Budget budget;
  const auto backend = make_reference_backend();
  Document document;
  document.layer() = three_tokens();
  const std::vector<std::string> wanted{"scores"};
  const Results results =
      Evaluator(*backend, budget).evaluate(document, build_graph(document.layer()), wanted);
  const Checks checks = check(results);
  CHECK(checks.softmaxes.empty());
  CHECK(checks.faults.empty());
  CHECK(row_sum(results, weights_of(results), 0, 0) == 0);
  CHECK(keys_left(results, weights_of(results), 0, 0) == 0);
}
