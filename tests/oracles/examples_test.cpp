// The worked examples and the errata of the manual, with the numbers as printed and as R computed them.
#include <doctest/doctest.h>
#include <algorithm>

#include <array>
#include <cmath>

#include "core/evaluate/evaluator.h"
#include "core/reference/backend.h"
#include "tests/devices.h"
#include "tests/oracles/golden_cases.h"

namespace attn::golden {
namespace {

using Numbers = std::vector<double>;

constexpr double kFourDecimals = 0.5e-4,
                 kThreeDecimals = 0.5e-3;  // a printed number is within half its last place

Results evaluate(const LayerSpec& layer, Backend& backend) {
  Budget budget;
  return Evaluator(backend, budget).evaluate(Document{{layer}}, build_graph(layer));
}

Numbers stage_in_double(const LayerSpec& layer, const char* id) {
  const Graph graph = build_graph(layer);
  const auto outputs = evaluate_in_double(graph);
  const auto values = outputs.at(graph.find(id).value()).values();
  return {values.begin(), values.end()};
}

std::vector<std::unique_ptr<Backend>> passing_devices(Budget& budget) {
  std::vector<std::unique_ptr<Backend>> backends;
  std::vector<std::string> notes;
  for (const opencl::Device& device : tests::devices()->survey().devices)
    if (device.passed)
      backends.push_back(tests::devices()->choose(std::to_string(device.index), budget, notes));
  return backends;
}

// Example A's stages on a float backend, all within an absolute tolerance of the oracle.
void check_example_a(Backend& backend, double tolerance) {
  const GoldenCase golden = load_case("example A");
  const Results results = evaluate(layer_of(golden), backend);
  for (const ExpectedStage& stage : golden.stages) {
    INFO("stage " << stage.id << " on " << backend.name());
    const auto expected = std::span<const double>(golden.expected).subspan(stage.offset, stage.shape.size());
    CHECK(first_difference(results.output(stage.id).values(), expected,
                           [&](std::size_t) { return tolerance; }) == "");
  }
}

// The stages of example B that R computed too.
template <class Tolerance>
void check_example_b(Backend& backend, Tolerance tolerance) {
  for (const char* name : {"example B", "example B causal", "example B two heads"}) {
    const GoldenCase golden = load_case(name);
    const Results results = evaluate(layer_of(golden), backend);
    REQUIRE(!golden.csv.empty());
    for (const auto& [id, file] : golden.csv) {
      INFO(name << ", stage " << id << " against " << file << " on " << backend.name());
      const Numbers expected = load_csv(file);
      CHECK(first_difference(results.output(id).values(), std::span<const double>(expected),
                             [&](std::size_t i) { return tolerance(expected[i]); }) == "");
    }
  }
}

// A layer whose weights are the softmax of `scores`: one query of 1, the scores as keys of width 1.
LayerSpec softmax_layer(const std::vector<float>& scores, double scale = 1) {
  LayerSpec layer;
  layer.direct = true;
  layer.q = Tensor({1, 1, 1}, {1});
  layer.k = layer.v = Tensor({1, scores.size(), 1}, scores);
  layer.scale.mode = ScaleMode::number;
  layer.scale.number = scale;
  return layer;
}

Numbers softmax(const std::vector<float>& scores, double scale = 1) {
  return stage_in_double(softmax_layer(scores, scale), "weights");
}

std::string difference(const Numbers& actual, const Numbers& printed, double tolerance) {
  return first_difference(std::span<const double>(actual), std::span<const double>(printed),
                          [&](std::size_t) { return tolerance; });
}

TEST_CASE("example A has the numbers of the manual") {
  const LayerSpec layer = layer_of(load_case("example A"));
  CHECK(difference(stage_in_double(layer, "scores"), {1, 1, 2, 1, 1, 0, 2, 0, 1}, 0) == "");
  CHECK(difference(stage_in_double(layer, "scaled"), {.5, .5, 1, .5, .5, 0, 1, 0, .5}, 0) == "");
  CHECK(difference(stage_in_double(layer, "weights"),
                   {.2741, .2741, .4519, .3837, .3837, .2327, .5065, .1863, .3072}, kFourDecimals) == "");
  CHECK(difference(
            stage_in_double(layer, "output"),
            {5.7112, 6.7112, 7.7112, 8.7112, 4.3962, 5.3962, 6.3962, 7.3962, 4.2029, 5.2029, 6.2029, 7.2029},
            kFourDecimals) == "");
}

TEST_CASE("example A is right to 1e-6 on the reference") {
  const auto reference = make_reference_backend();
  check_example_a(*reference, 1e-6);
}

TEST_CASE("example A is right to 2e-6 on every OpenCL device that passes") {
  Budget budget;
  const auto devices = passing_devices(budget);
  REQUIRE(!devices.empty());
  for (const auto& device : devices) check_example_a(*device, 2e-6);
}

TEST_CASE("example B in double has the numbers of R to the rounding of its inputs") {
  for (const char* name : {"example B", "example B causal", "example B two heads"}) {
    const GoldenCase golden = load_case(name);
    for (const auto& [id, file] : golden.csv) {
      INFO(name << ", stage " << id << " against " << file);
      const std::size_t offset = golden.stage(id).offset;
      const Numbers actual = stage_in_double(layer_of(golden), id.c_str()), expected = load_csv(file);
      const auto tolerance = [&](std::size_t i) { return golden.rounding[offset + i] * 0x1p-24; };
      CHECK(first_difference(std::span<const double>(actual), std::span<const double>(expected), tolerance) ==
            "");
    }
  }
}

TEST_CASE("example B has the numbers of R on the reference") {
  const auto reference = make_reference_backend();
  check_example_b(*reference, [](double b) { return 1e-6 * std::max(1.0, std::abs(b)); });
}

TEST_CASE("example B has the numbers of R on every OpenCL device that passes") {
  Budget budget;
  const auto devices = passing_devices(budget);
  REQUIRE(!devices.empty());
  for (const auto& device : devices)
    check_example_b(*device, [](double b) { return 2e-6 + 2e-5 * std::abs(b); });
}

TEST_CASE("softmax rows printed wrong in circulating texts are right here") {
  struct Erratum {
    std::vector<float> scores;
    Numbers right, printed;
  };
  const std::array<Erratum, 4> errata{{
      {{.5f, .5f, 1}, {.2741, .2741, .4519}, {.2312, .2312, .5376}},
      {{.5f, .5f, 0}, {.3837, .3837, .2327}, {.3876, .3876, .2249}},
      {{1, 0, .5f}, {.5065, .1863, .3072}, {.4656, .1713, .3631}},
      {{2.5f, .8f, .3f, .2f}, {.7175, .1311, .0795, .0719}, {.77, .14, .05, .04}},
  }};
  for (const Erratum& erratum : errata) {
    const Numbers weights = softmax(erratum.scores);
    CHECK(difference(weights, erratum.right, kFourDecimals) == "");
    CHECK(difference(weights, erratum.printed, kFourDecimals) != "");
  }
}

TEST_CASE("scores of width 512 are peaked but not one-hot until they are scaled") {
  const std::vector<float> scores{20, -15, 22, -10, 18};
  CHECK(difference(softmax(scores), {.117, 0, .867, 0, .016}, kThreeDecimals) == "");
  CHECK(difference(softmax(scores, 1 / std::sqrt(512.0)), {.287, .061, .313, .076, .263}, kThreeDecimals) ==
        "");
}

}  // namespace
}  // namespace attn::golden
