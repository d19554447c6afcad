// The workspace of entropy: the mean entropy of a layer's weights over the temperature, against cases by
// hand.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/entropy/graph.h"
#include "core/evaluate/run.h"
#include "tests/layers.h"

using namespace attn;
using namespace attn::tests;

namespace {

// One query of width 1 that is 1: the scores are the keys.
Document scores(std::vector<float> keys, EntropySpec spec) {
  Document document;
  document.entropy = spec;
  LayerSpec& layer = document.layer();
  const Shape shape{1, keys.size(), 1};
  layer.direct = true;
  layer.q = Tensor({1, 1, 1}, {1}), layer.k = Tensor(shape, std::move(keys));
  layer.v = Tensor(shape, std::vector<float>(shape.rows));
  return document;
}

std::vector<double> entropies(const Document& document) {
  const Built built = build_entropy(document);
  const auto outputs = evaluate_in_double(built.graph);
  std::vector<double> found;
  for (const StageIndex stage : places_in<EntropyPlaces>(built).entropy)
    found.push_back(outputs[stage][{0, 0, 0}]);
  return found;
}

}  // namespace

TEST_CASE("uniform scores have the entropy ln n at every temperature") {
  const auto found = entropies(scores({2, 2, 2, 2, 2}, {.from = 0.001, .to = 1000, .samples = 7}));
  CHECK(found.size() == 7);
  for (const double entropy : found) CHECK(entropy == doctest::Approx(std::log(5)));
}

TEST_CASE("entropy goes to 0 with the temperature and to ln n far above") {
  const auto found = entropies(scores({1, 2, 3}, {.from = 0.01, .to = 1000, .samples = 9}));
  CHECK(found.front() < 1e-30);
  CHECK(found.back() == doctest::Approx(std::log(3)).epsilon(1e-6));
  CHECK(std::ranges::is_sorted(found));
}

TEST_CASE("temperatures go by a fixed ratio and each divides the scores") {
  // Scores ln 3 and 0: at T 1 weights ¾ and ¼, at T ½ 9/10 and 1/10, at T 2 √3 to 1.
  const Document document = scores({std::log(3.0f), 0}, {.from = 0.5, .to = 2, .samples = 3});
  CHECK(places_in<EntropyPlaces>(build_entropy(document)).temperatures == std::vector<float>{0.5f, 1, 2});
  const auto found = entropies(document);
  const auto of_two = [](double a) { return -a * std::log(a) - (1 - a) * std::log(1 - a); };
  CHECK(found[0] == doctest::Approx(of_two(0.9)).epsilon(1e-6));
  CHECK(found[1] == doctest::Approx(of_two(0.75)).epsilon(1e-6));
  CHECK(found[2] == doctest::Approx(of_two(1 / (1 + 1 / std::sqrt(3)))).epsilon(1e-6));
}

TEST_CASE("masked keys have no part in it and the mean is of all queries") {
  Document document = scores({0, 0}, {});
  document.layer().q = Tensor({1, 2, 1}, {1, 1});
  set_causal(document.layer(), CausalAlign::lower_right);  // ln 1 and ln 2
  for (const double entropy : entropies(document)) CHECK(entropy == doctest::Approx(std::log(2) / 2));
}
