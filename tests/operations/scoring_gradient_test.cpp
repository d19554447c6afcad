// What flows back through tanh, distances, pairs and additive scores: numbers derived by hand, central
// differences, what a 0 hides, what is explained, reached and refused.
#include "core/operations/scoring_gradient.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/operations/backward.h"
#include "core/operations/score_pairs.h"
#include "core/system/error.h"
#include "tests/operations/differences.h"
#include "tests/operations/opened_numbers.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr float kEndless = std::numeric_limits<float>::infinity();
constexpr auto kQueries = ScoreSide::queries, kKeys = ScoreSide::keys, kVector = ScoreSide::vector;

std::vector<float> flown(const Operation& operation, const std::vector<Tensor>& inputs) {
  const Tensor result = make_reference_backend()->run(operation, inputs);
  return {result.values().begin(), result.values().end()};
}

// An operation and inputs that it takes: four heads whose keys serve two each, and so on.
struct Flow {
  Operation operation;
  std::vector<Shape> inputs;
};
std::vector<Flow> all_flows() {
  const Shape q{4, 3, 2}, k{2, 5, 2}, scores{4, 3, 5}, v{1, 1, 2}, pairs{4, 15, 2};
  return {{TanhGradient{1.5}, {scores, scores}},           {PutColumns{1, 7}, {scores}},
          {DistanceGradient{kQueries}, {q, k, scores}},    {DistanceGradient{kKeys}, {q, k, scores}},
          {PairSumGradient{kQueries, 5}, {pairs}},         {PairSumGradient{kKeys, 5, 2}, {pairs}},
          {PairProductGradient{kQueries}, {scores, v}},    {PairProductGradient{kVector}, {scores, pairs}},
          {AdditiveGradient{kQueries}, {q, k, v, scores}}, {AdditiveGradient{kKeys}, {q, k, v, scores}},
          {AdditiveGradient{kVector}, {q, k, v, scores}}};
}

std::vector<Tensor> in_float(const std::vector<Tensor64>& inputs) {
  std::vector<Tensor> rounded;
  for (const Tensor64& input : inputs) rounded.push_back(to_float(input));
  return rounded;
}

std::vector<Tensor64> random_inputs(const Flow& flow) {
  std::vector<Tensor64> inputs;
  for (const Shape& shape : flow.inputs) inputs.push_back(random_in_double(shape, 10 + inputs.size()));
  return inputs;
}

}  // namespace

TEST_CASE("through a tanh flows what its slope lets through, and nothing at the cap") {
  const Tensor y({1, 1, 3}, {0, 1, 2}), g({1, 1, 3}, {8, 8, 8});
  CHECK(flown(TanhGradient{2}, {y, g}) == std::vector<float>{8, 6, 0});
  CHECK(flown(TanhGradient{1}, {Tensor({1, 1, 2}, {-0.5f, 1}), Tensor({1, 1, 2}, {4, 3})}) ==
        std::vector<float>{3, 0});
}

TEST_CASE("what flows into columns that were taken is put where they were") {
  CHECK(flown(PutColumns{1, 4}, {Tensor({1, 2, 2}, {1, 2, 3, 4})}) ==
        std::vector<float>{0, 1, 2, 0, 0, 3, 4, 0});
  CHECK(flown(PutColumns{0, 1}, {Tensor({1, 2, 1}, {5, 6})}) == std::vector<float>{5, 6});
}

// Queries 1 and 4, keys 0 and 2: distances 1, 1, 16, 4.
TEST_CASE("a distance draws query and key together, by twice what lies between them") {
  const Tensor q({1, 2, 1}, {1, 4}), k({1, 2, 1}, {0, 2}), g({1, 2, 2}, {10, 1, 0, 3});
  CHECK(flown(DistanceGradient{kQueries}, {q, k, g}) == std::vector<float>{20 - 2, 12});
  CHECK(flown(DistanceGradient{kKeys}, {q, k, g}) == std::vector<float>{-20, 2 - 12});
  // Two heads share the keys.
  const Tensor both({2, 1, 1}, {1, 4}), flows({2, 1, 2}, {10, 1, 0, 3});
  CHECK(flown(DistanceGradient{kKeys}, {both, k, flows}) == std::vector<float>{-20, 2 - 12});
}

TEST_CASE("what flows into pairs is added up over keys, or over queries and heads") {
  const Tensor g({2, 4, 1}, {1, 2, 3, 4, 10, 20, 30, 40});
  CHECK(flown(PairSumGradient{kQueries, 2}, {g}) == std::vector<float>{3, 7, 30, 70});
  CHECK(flown(PairSumGradient{kKeys, 2}, {g}) == std::vector<float>{4, 6, 40, 60});
  CHECK(flown(PairSumGradient{kKeys, 2, 2}, {g}) == std::vector<float>{44, 66});
}

TEST_CASE("a pair takes v by what flows in, and v all pairs") {
  const Tensor g({1, 1, 2}, {2, 3}), v({1, 1, 2}, {10, 100}), x({1, 2, 2}, {1, 2, 3, 4});
  CHECK(flown(PairProductGradient{kQueries}, {g, v}) == std::vector<float>{20, 200, 30, 300});
  CHECK(flown(PairProductGradient{kVector}, {g, x}) == std::vector<float>{11, 16});
}

// tanh 0 = 0 with slope 1, and tanh(ln 2) = 3/5 with slope 16/25.
TEST_CASE("an additive score lets through the slope of its tanh, and to v the tanh") {
  const auto ln2 = static_cast<float>(std::log(2.0));
  const Tensor q({1, 1, 1}, {0}), k({1, 2, 1}, {0, ln2}), v({1, 1, 1}, {5}), g({1, 1, 2}, {2, 10});
  const std::vector<Tensor> inputs{q, k, v, g};
  CHECK(flown(AdditiveGradient{kQueries}, inputs)[0] == doctest::Approx(10 + 32));
  CHECK(flown(AdditiveGradient{kKeys}, inputs)[0] == 10);
  CHECK(flown(AdditiveGradient{kKeys}, inputs)[1] == doctest::Approx(32));
  CHECK(flown(AdditiveGradient{kVector}, inputs)[0] == doctest::Approx(6));
}

TEST_CASE("where a tanh is near 1 its slope has all its digits") {
  for (const double x : {0.0, 0.3, -2.0, 9.0, -15.0, 40.0})
    CHECK(tanh_slope(x) == doctest::Approx(1 / (std::cosh(x) * std::cosh(x))).epsilon(1e-13));
  CHECK(tanh_slope(kEndless) == 0);
}

TEST_CASE("gradients of scores are what central differences find") {
  const Shape q{4, 3, 2}, k{2, 5, 2}, scores{4, 3, 5}, pairs{4, 15, 2};
  const std::vector<Tensor64> inputs{random_in_double(q, 1), random_in_double(k, 2),
                                     random_in_double({1, 1, 2}, 3)};
  const std::vector<Tensor64> two{inputs[0], inputs[1]};
  const Tensor64 g = random_in_double(scores, 4), of_pairs = random_in_double(pairs, 5);
  for (const double cap : {1.0, 3.0}) {
    const Tensor64 x = random_in_double(scores, 6), y = run_in_double(Tanh{cap}, std::vector{x});
    check_differences(Tanh{cap}, {x}, 0, g, run_in_double(TanhGradient{cap}, std::vector{y, g}));
  }
  const Tensor64 taken = random_in_double({4, 3, 2}, 7);
  check_differences(TakeColumns{1, 2}, {random_in_double(scores, 8)}, 0, taken,
                    run_in_double(PutColumns{1, 5}, std::vector{taken}));
  const std::vector<Tensor64> with_flow{inputs[0], inputs[1], g};
  check_differences(SquaredDistance{}, two, 0, g, run_in_double(DistanceGradient{kQueries}, with_flow));
  check_differences(SquaredDistance{}, two, 1, g, run_in_double(DistanceGradient{kKeys}, with_flow));
  check_differences(PairSum{}, two, 0, of_pairs,
                    run_in_double(PairSumGradient{kQueries, 5}, std::vector{of_pairs}));
  check_differences(PairSum{}, two, 1, of_pairs,
                    run_in_double(PairSumGradient{kKeys, 5, 2}, std::vector{of_pairs}));
  const std::vector<Tensor64> product{of_pairs, inputs[2]};
  check_differences(PairProduct{5}, product, 0, g,
                    run_in_double(PairProductGradient{kQueries}, std::vector{g, inputs[2]}));
  check_differences(PairProduct{5}, product, 1, g,
                    run_in_double(PairProductGradient{kVector}, std::vector{g, of_pairs}));
  const std::vector<Tensor64> additive{inputs[0], inputs[1], inputs[2], g};
  std::size_t input = 0;
  for (const ScoreSide of : {kQueries, kKeys, kVector})
    check_differences(AdditiveScore{}, inputs, input++, g, run_in_double(AdditiveGradient{of}, additive));
}

TEST_CASE("a pair into which nothing flows adds nothing, whatever it is made of") {
  for (const float any : {kEndless, -kEndless, std::numeric_limits<float>::quiet_NaN()}) {
    const Tensor q({1, 2, 1}, {1, any}), k({1, 2, 1}, {2, any}), v({1, 1, 1}, {any}), one({1, 1, 1}, {1});
    const Tensor g({1, 2, 2}, {3, 0, 0, 0}), none({1, 2, 2}, {0, 0, -0.0f, 0});
    CHECK(flown(DistanceGradient{kQueries}, {q, k, g}) == std::vector<float>{-6, 0});
    CHECK(flown(DistanceGradient{kKeys}, {q, k, g}) == std::vector<float>{6, 0});
    const auto bent = static_cast<float>(3 * std::tanh(3.0)), slope = static_cast<float>(3 * tanh_slope(3));
    CHECK(flown(AdditiveGradient{kQueries}, {q, k, one, g}) == std::vector<float>{slope, 0});
    CHECK(flown(AdditiveGradient{kKeys}, {q, k, one, g}) == std::vector<float>{slope, 0});
    CHECK(flown(AdditiveGradient{kVector}, {q, k, v, g}) == std::vector<float>{bent});
    CHECK(flown(AdditiveGradient{kKeys}, {q, k, v, none}) == std::vector<float>{0, 0});
    CHECK(flown(PairProductGradient{kQueries}, {none, v}) == std::vector<float>{0, 0, 0, 0});
    CHECK(flown(PairProductGradient{kVector}, {g, Tensor({1, 4, 1}, {5, any, any, any})}) ==
          std::vector<float>{15});
    CHECK(explain(DistanceGradient{kQueries}, std::vector{q, k, g}, Cell{0, 1, 0}).result == 0);
    CHECK(explain(AdditiveGradient{kVector}, std::vector{q, k, v, g}, Cell{}).result ==
          doctest::Approx(bent));
    CHECK(explain(PairProductGradient{kQueries}, std::vector{none, v}, Cell{}).rule ==
          "nothing flows into this pair: 0");
  }
}

TEST_CASE("explanations of gradients come to their numbers, whose inputs reach just what they say") {
  for (const Flow& flow : all_flows()) {
    const std::vector<Tensor64> inputs = random_inputs(flow);
    check_opened(flow.operation, in_float(inputs));
    check_products(flow.operation, in_float(inputs));
    check_reached(flow.operation, inputs);
  }
}

TEST_CASE("gradients to queries are made by rows, sums over queries are not") {
  std::vector<std::string> whole;
  for (const Flow& flow : all_flows())
    if (cut(flow.operation, flow.inputs, {1, 2}))
      check_cut(flow.operation, in_float(random_inputs(flow)), {1, 2});
    else
      whole.push_back(name(flow.operation));
  CHECK(whole == std::vector<std::string>{"distance_gradient", "pair_sum_gradient", "pair_sum_gradient",
                                          "pair_product_gradient", "pair_product_gradient",
                                          "additive_gradient", "additive_gradient"});
}

TEST_CASE("gradients of scores are opened into what flows in, pair by pair") {
  const Tensor q({1, 2, 1}, {1, 4}), k({1, 2, 1}, {0, 2.5f}), g({1, 2, 2}, {10, 1, 0, 3}), v({1, 1, 1}, {2});
  const Explanation query = explain(DistanceGradient{kQueries}, std::vector{q, k, g}, Cell{0, 0, 0});
  CHECK(query.rule == "Σ over keys of 2 × what flows in × (query − key)");
  REQUIRE(query.terms.size() == 2);
  CHECK(query.terms[1].operands[2].text == "(1 − 2.5)");
  CHECK(query.terms[1].value == -3);
  CHECK(query.over == 2);
  const Explanation key = explain(AdditiveGradient{kKeys}, std::vector{q, k, v, g}, Cell{0, 1, 0});
  CHECK(key.terms[0].operands[2].text == "(1 − tanh(1 + 2.5)²)");
  CHECK(key.terms[0].operands[2].input == 0);
  CHECK(explain(TanhGradient{2}, std::vector{Tensor({1, 1, 1}, {1}), v}, Cell{}).terms[0].operands[1].text ==
        "(1 − (1 ÷ 2)²)");
  CHECK(explain(PairSumGradient{kKeys, 2, 2}, std::vector{Tensor({2, 2, 1}, {1, 2, 3, 4})}, Cell{0, 1, 0})
            .terms.size() == 2);
}

TEST_CASE("gradients of scores say how large the terms are that cancel in them, and have no way back") {
  const Tensor q({1, 2, 1}, {1, -4}), k({1, 2, 1}, {0, 2}), v({1, 1, 1}, {-3}), g({1, 2, 2}, {5, -1, 0, 2});
  CHECK(size_of_terms(DistanceGradient{kQueries}, std::vector{q, k, g}) == 2 * (4 + 2) * 6);
  CHECK(size_of_terms(DistanceGradient{kKeys}, std::vector{q, k, g}) == 2 * (4 + 2) * 5);
  CHECK(size_of_terms(AdditiveGradient{kQueries}, std::vector{q, k, v, g}) == 3 * 6);
  CHECK(size_of_terms(AdditiveGradient{kVector}, std::vector{q, k, v, g}) == 8);
  CHECK(size_of_terms(PairProductGradient{kVector}, std::vector{g, Tensor({1, 4, 1}, {1, -7, 0, 2})}) == 56);
  CHECK(size_of_terms(PairSumGradient{kQueries, 2}, std::vector{Tensor({1, 4, 1}, {1, -7, 0, 2})}) == 8);
  for (const Flow& flow : all_flows())
    CHECK(backward(flow.operation, flow.inputs, result_shape(flow.operation, flow.inputs)).missing ==
          kIsGradient);
}

TEST_CASE("gradients that do not fit their scores are refused with what does") {
  const Shape q{2, 3, 2}, k{2, 5, 2}, scores{2, 3, 5}, v{1, 1, 2};
  CHECK(why_refused(TanhGradient{}, {scores, q}) == "a gradient of 2×3×2 is not that of numbers of 2×3×5");
  CHECK(why_refused(TanhGradient{0}, {scores, scores}) == "a cap must be finite and above 0");
  CHECK(why_refused(PutColumns{4, 5}, {q}) == "2×3×2 does not fit into 5 columns from 4 on");
  CHECK(why_refused(PutColumns{9, 5}, {q}).find("does not fit") != std::string::npos);
  CHECK(why_refused(DistanceGradient{}, {q, k, q}) == "a gradient of 2×3×2 is not that of scores of 2×3×5");
  CHECK(why_refused(DistanceGradient{kVector}, {q, k, scores}).find("no vector") != std::string::npos);
  CHECK(why_refused(AdditiveGradient{}, {q, k, v, k}).find("not that of scores") != std::string::npos);
  CHECK(why_refused(AdditiveGradient{}, {q, k, {1, 1, 3}, scores}).find("a vector of 1×3") !=
        std::string::npos);
  CHECK(why_refused(PairSumGradient{kQueries, 4}, {{2, 15, 2}}) ==
        "15 pairs are no whole number of rows of 4 keys");
  CHECK(why_refused(PairSumGradient{kKeys, 5, 4}, {{6, 15, 2}}).find("must divide the heads") !=
        std::string::npos);
  CHECK(why_refused(PairSumGradient{kVector, 5}, {{2, 15, 2}}).find("no vector") != std::string::npos);
  CHECK(why_refused(PairProductGradient{kQueries}, {scores, q}) ==
        "a vector of 2×3×2 does not weigh pairs: give it one row");
  CHECK(why_refused(PairProductGradient{kVector}, {scores, {2, 14, 2}}).find("need 15 rows a head") !=
        std::string::npos);
  CHECK(why_refused(PairProductGradient{kKeys}, {scores, v}).find("queries or the vector") !=
        std::string::npos);
  CHECK(result_shape(AdditiveGradient{kVector}, std::vector<Shape>{q, k, v, scores}) == v);
}
