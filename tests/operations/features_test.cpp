// Feature maps: numbers by hand, what random features stand for, central differences, what is explained,
// reached and refused.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/operations/features.h"
#include "tests/operations/differences.h"
#include "tests/operations/opened_numbers.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr FeatureKind kFeatureKinds[]{FeatureKind::elu_plus_one, FeatureKind::relu, FeatureKind::random};
constexpr double kOfFeatures = 0.6;

void check_features(const Operation& operation, const std::vector<Tensor>& inputs,
                    const std::vector<double>& expected) {
  const Tensor result = reference_of(operation, inputs);
  REQUIRE(result.values().size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK(result.values()[i] == doctest::Approx(expected[i]).epsilon(1e-6));
}

// X, and the directions of random features.
std::vector<Tensor64> feature_inputs(FeatureKind kind, Shape x, std::size_t count) {
  std::vector<Tensor64> inputs{random_in_double(x, 1)};
  if (kind == FeatureKind::random) inputs.push_back(random_in_double({1, x.columns, count}, 2));
  return inputs;
}

// And what stands behind them in the gradient.
std::vector<Tensor64> flowing_back(const FeatureMap& op, std::vector<Tensor64> inputs, const Tensor64& g) {
  Tensor64 features = run_in_double(op, inputs);
  inputs.push_back(std::move(features));
  inputs.push_back(g);
  return inputs;
}

std::vector<Tensor> as_floats(const std::vector<Tensor64>& inputs) {
  std::vector<Tensor> narrow;
  for (const Tensor64& input : inputs) narrow.push_back(to_float(input));
  return narrow;
}

}  // namespace

TEST_CASE("features of numbers are x + 1 or exp(x), or what is above 0") {
  const Tensor x({1, 2, 3}, {-1, 0, 2, -30, 0.5f, 1e30f});
  check_features(FeatureMap{}, {x}, {std::exp(-1.0), 1, 3, std::exp(-30.0), 1.5, 1e30});
  check_features(FeatureMap{FeatureKind::relu}, {x}, {0, 0, 2, 0, 0.5, 1e30});
  check_features(FeatureMap{FeatureKind::elu_plus_one, -0.5}, {x},
                 {1.5, 1, std::exp(-1.0), 16, std::exp(-0.25), 0});
}

TEST_CASE("random features are exponentials of products with their directions") {
  const Tensor x({1, 1, 2}, {1, 2}), directions({1, 2, 3}, {0, 1, 3, 0, -1, 1});
  const double root = std::sqrt(3.0);
  check_features(FeatureMap{FeatureKind::random}, {x, directions},
                 {std::exp(-2.5) / root, std::exp(-3.5) / root, std::exp(2.5) / root});
  check_features(FeatureMap{FeatureKind::random, 0.5}, {x, directions},
                 {std::exp(-0.625) / root, std::exp(-1.125) / root, std::exp(1.875) / root});
}

// The mean over directions of their products is exp(q·k) (Choromanski et al. 2021, lemma 1); its relative
// error is √((exp(‖q + k‖²) − 1) ÷ R), of which four are allowed.
TEST_CASE("products of random features stand for the exponential of the product") {
  constexpr std::size_t kDirections = 100000;
  const std::vector<Tensor64> inputs{Tensor64({1, 2, 3}, {0.5, -0.25, 0.75, 0.25, 0.5, 0.5}),
                                     random_in_double({1, 3, kDirections}, 11)};
  const Tensor64 features = run_in_double(FeatureMap{FeatureKind::random}, inputs);
  double sum = 0, squares = 0, product = 0;
  for (std::size_t r = 0; r < kDirections; ++r) sum += features[{0, 0, r}] * features[{0, 1, r}];
  for (std::size_t i = 0; i < 3; ++i) {
    const double q = inputs[0][{0, 0, i}], k = inputs[0][{0, 1, i}];
    squares += (q + k) * (q + k), product += q * k;
  }
  const double exact = std::exp(product), deviation = std::sqrt((std::exp(squares) - 1) / kDirections);
  CHECK(std::abs(sum / exact - 1) <= 4 * deviation);
  CHECK(deviation < 0.01);
}

TEST_CASE("NaN stays, and an infinite row has the features that rows have on the way there") {
  const float infinity = std::numeric_limits<float>::infinity();
  const Tensor x({1, 3, 2}, {NAN, 1, infinity, -infinity, 1, 1});
  const Tensor elu = reference_of(FeatureMap{}, {x}), relu = reference_of(FeatureMap{FeatureKind::relu}, {x});
  for (const Tensor* y : {&elu, &relu}) {
    CHECK(std::isnan(y->values()[0]));
    CHECK(y->values()[2] == infinity);
    CHECK(y->values()[3] == 0);
  }
  const Tensor directions({1, 2, 2}, {1, -1, 0.5f, 2});
  const Tensor random = reference_of(FeatureMap{FeatureKind::random}, {x, directions});
  for (std::size_t r = 0; r < 2; ++r) {
    CHECK(std::isnan(random[{0, 0, r}]));
    CHECK(random[{0, 1, r}] == 0);
    CHECK(random[{0, 2, r}] > 0);
  }
}

TEST_CASE("what flows back through features is what central differences find") {
  const Shape x{2, 3, 5};
  for (const FeatureKind kind : kFeatureKinds)
    for (const double scale : {1.0, kOfFeatures}) {
      const FeatureMap op{kind, scale};
      const std::vector<Tensor64> inputs = feature_inputs(kind, x, 7);
      const Tensor64 g = random_in_double(run_in_double(op, inputs).shape(), 4);
      check_differences(op, inputs, 0, g, run_in_double(FeatureMapGradient{op}, flowing_back(op, inputs, g)));
    }
}

TEST_CASE("nothing flows at the bend, nor where nothing flows in, whatever stands there") {
  const Tensor x({1, 1, 4}, {0, -1, 2, NAN}), g({1, 1, 4}, {5, 5, 5, 0});
  const FeatureMap relu{FeatureKind::relu};
  CHECK(reference_of(FeatureMapGradient{relu}, {x, reference_of(relu, {x}), g}) ==
        Tensor({1, 1, 4}, {0, 0, 5, 0}));
  const Tensor elu = reference_of(FeatureMapGradient{}, {x, reference_of(FeatureMap{}, {x}), g});
  CHECK(elu[{0, 0, 1}] == doctest::Approx(5 * std::exp(-1.0)));
  CHECK(elu[{0, 0, 2}] == 5);
  CHECK(elu[{0, 0, 3}] == 0);
  const FeatureMap random{FeatureKind::random};
  const Tensor one({1, 1, 1}, {NAN}), w({1, 1, 2}, {1, 2}), none({1, 1, 2}, {0, 0});
  CHECK(reference_of(FeatureMapGradient{random}, {one, w, reference_of(random, {one, w}), none}) ==
        Tensor({1, 1, 1}, {0}));
}

TEST_CASE("every feature and gradient of one is opened, made alone by rows, and reaches what it is said to") {
  for (const FeatureKind kind : kFeatureKinds)
    for (const double scale : {1.0, kOfFeatures}) {
      const FeatureMap op{kind, scale};
      const std::vector<Tensor64> inputs = feature_inputs(kind, {2, 3, 4}, 5);
      check_opened(op, as_floats(inputs));
      check_cut(op, as_floats(inputs), {1, 2});
      const Tensor64 g = random_in_double(run_in_double(op, inputs).shape(), 4);
      const auto back = as_floats(flowing_back(op, inputs, g));
      check_opened(FeatureMapGradient{op}, back);
      check_products(FeatureMapGradient{op}, back);
      check_cut(FeatureMapGradient{op}, back, {0, 2});
    }
  check_products(FeatureMap{FeatureKind::random, kOfFeatures},
                 as_floats(feature_inputs(FeatureKind::random, {1, 2, 3}, 4)));
  check_reached(FeatureMap{}, feature_inputs(FeatureKind::elu_plus_one, {2, 2, 3}, 0));
  check_reached(FeatureMap{FeatureKind::random}, feature_inputs(FeatureKind::random, {2, 2, 3}, 4));
  const FeatureMap random{FeatureKind::random};
  const std::vector<Tensor64> inputs = feature_inputs(FeatureKind::random, {2, 2, 3}, 4);
  check_reached(FeatureMapGradient{random}, flowing_back(random, inputs, random_in_double({2, 2, 4}, 4)));
}

TEST_CASE("a feature is explained in the words of its map") {
  const std::vector<Tensor> x{Tensor({1, 1, 2}, {2, -1})};
  CHECK(explain(FeatureMap{}, x, Cell{0, 0, 0}).rule == "above 0: x + 1");
  CHECK(explain(FeatureMap{}, x, Cell{0, 0, 1}).rule == "not above 0: exp(x)");
  CHECK(explain(FeatureMap{FeatureKind::relu}, x, Cell{0, 0, 1}).rule == "max(0, x)");
  const std::vector<Tensor> with_directions{x[0], Tensor({1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8})};
  const Explanation e = explain(FeatureMap{FeatureKind::random}, with_directions, Cell{0, 0, 2});
  CHECK(e.rule == "exp(w·x − ‖x‖²/2) ÷ √4");
  REQUIRE(e.terms.size() == 3);
  CHECK(e.terms[2].value == -2.5);
  CHECK(e.result == doctest::Approx(std::exp(6 - 7 - 2.5) / 2));
}

TEST_CASE("directions and gradients that do not fit are refused") {
  const FeatureMap random{FeatureKind::random};
  CHECK(why_refused(random, {{2, 3, 4}}) == "random features need their directions");
  CHECK(why_refused(random, {{2, 3, 4}, {1, 3, 8}}) ==
        "directions of 3×8 do not fit rows of 4: random features need 4×R of them, R at least 1");
  CHECK(why_refused(random, {{2, 3, 4}, {1, 4, 0}}).ends_with("R at least 1"));
  CHECK(why_refused(FeatureMap{FeatureKind::relu, NAN}, {{2, 3, 4}}) == "features need a finite scale");
  CHECK(why_refused(FeatureMapGradient{}, {{2, 3, 4}, {2, 3, 4}, {2, 3, 5}}) ==
        "features or their gradient of 2×3×5 are not those of rows that make 2×3×4");
  CHECK(why_refused(random, {{2, 3, 4}, {1, 4, 8}}).empty());
}
