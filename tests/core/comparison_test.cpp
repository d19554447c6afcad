// Distances from the reference, measured on a backend that is the reference but for one number moved by a
// known amount; and when there is a comparison, when none, and why.
#include "core/checks/comparison.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/engine/engine.h"
#include "core/reference/backend.h"
#include "tests/layers.h"
#include "tests/random_layer.h"

using namespace attn;
using namespace attn::tests;

namespace {

// The reference, with one number of the scores moved by `shift`.
class Shifted : public Backend {
 public:
  explicit Shifted(float shift) : shift_(shift) {}
  std::string name() const override { return "shifted"; }
  Tensor run(const Operation& operation, Inputs inputs, Numbers) override {
    const Tensor right = reference_->run(operation, inputs);
    const auto* product = std::get_if<MatMul>(&operation);
    return product && product->transpose_right ? with_value(right, kWhere, right[kWhere] + shift_) : right;
  }

  static constexpr Cell kWhere{0, 2, 1};

 private:
  float shift_;
  std::unique_ptr<Backend> reference_ = make_reference_backend();
};

BackendFactory shifted(float shift) {
  return [shift](std::vector<std::string>&) { return std::make_unique<Shifted>(shift); };
}

Document document_of(std::size_t tokens, std::size_t width) {
  Random random(7);
  Document document;
  document.layer().direct = true;
  document.layer().q = normal(random, {1, tokens, width});
  document.layer().k = normal(random, {1, tokens, width});
  document.layer().v = normal(random, {1, tokens, width});
  return document;
}

EngineState computed(Engine& engine, const Document& document) {
  engine.post({document, &kLayerPlan});
  engine.wait_idle();
  return engine.state();
}

// As if a device had computed: every stage filled with one number, nothing evaluated.
Results filled(const Document& document, float value) {
  Results results{.document = document,
                  .graph = build_graph(document.layer()),
                  .outputs = {},
                  .device = "filled",
                  .seconds = 0,
                  .recomputed = 0};
  for (const Stage& stage : results.graph.stages)
    results.outputs.emplace_back(Tensor(stage.shape, std::vector<float>(stage.shape.size(), value)));
  return results;
}

}  // namespace

TEST_CASE("the distance is the largest difference of each stage from the reference") {
  Budget budget;
  Engine engine(shifted(0.25f), budget);
  const EngineState state = computed(engine, document_of(5, 4));
  REQUIRE(state.comparison);
  const Comparison& comparison = *state.comparison;
  CHECK(comparison.reason.empty());
  const StageIndex scores = *state.results->graph.find("scores"), q = *state.results->graph.find("q");
  const double shifted_score = state.results->outputs[scores][Shifted::kWhere];
  Results right = *state.results;
  const double score = explain(right, scores, Shifted::kWhere).result;
  CHECK(comparison.stages[scores] == doctest::Approx(std::abs(shifted_score - score)));
  CHECK(comparison.stages[scores] == doctest::Approx(0.25).epsilon(1e-5));
  CHECK(comparison.stages[q] == 0);
  CHECK(comparison.largest >= comparison.stages[scores]);
  CHECK(!comparison.accepted());
  CHECK(comparison.stages[*state.results->graph.find("weights")] > 0);  // end to end, not stage by stage
}

TEST_CASE("equal results have the distance 0 and are accepted") {
  Budget budget;
  Engine engine(shifted(0), budget);
  const EngineState state = computed(engine, document_of(5, 4));
  REQUIRE(state.comparison);
  CHECK(state.comparison->largest == 0);
  CHECK(state.comparison->accepted());
  CHECK(state.comparison->reason.empty());
}

TEST_CASE("the reference is not compared with itself") {
  Budget budget;
  Engine engine([](std::vector<std::string>&) { return make_reference_backend(); }, budget);
  const EngineState state = computed(engine, document_of(5, 4));
  REQUIRE(state.comparison);
  CHECK(state.comparison->is_reference);
  CHECK(state.comparison->reason == "this is the reference itself");
}

TEST_CASE("a layer too large for the reference says so and claims no distance") {
  // 2·600²·100 = 72 million multiply-adds in the two products.
  const Results results = filled(document_of(600, 100), 1);
  CHECK(operation_count(results) > 72e6);
  const auto comparison = compare_with_reference(results);
  REQUIRE(comparison);
  CHECK(comparison->reason.find("not compared: too large") == 0);
}

TEST_CASE("the products dominate the count of operations") {
  // 5 tokens of width 4: two products of 5·5·4, scaling 25, row maximum 25, exp 250, row sum 25, weights 25,
  // concat and output 20 each.
  CHECK(operation_count(filled(document_of(5, 4), 1)) == 2 * 100 + 25 + 25 + 250 + 25 + 25 + 2 * 20);
}

TEST_CASE("a NaN that the reference does not have is infinitely far and equal NaN are not") {
  const Document document = document_of(3, 2);
  const auto nan = compare_with_reference(filled(document, std::numeric_limits<float>::quiet_NaN()));
  CHECK(std::isinf(nan->largest));
  CHECK(!nan->accepted());
  Document poisoned = document;
  poisoned.layer().q = with_value(document.layer().q, {0, 0, 0}, std::numeric_limits<float>::quiet_NaN());
  Budget budget;
  Engine engine(shifted(0), budget);
  CHECK(computed(engine, poisoned).comparison->largest == 0);
}

TEST_CASE("a comparison gives up when it is told to") {
  int asked = 0;
  CHECK(!compare_with_reference(filled(document_of(5, 4), 1), [&] { return ++asked == 3; }));
  CHECK(asked == 3);
}

TEST_CASE("checks and comparison of a larger layer follow and belong to the newest results") {
  Budget budget;
  Engine engine(shifted(0.25f), budget);
  for (std::size_t width : {8, 16, 32}) engine.post({document_of(64, width), &kLayerPlan});
  engine.wait_idle();
  const EngineState state = engine.state();
  CHECK(operation_count(*state.results) > 250'000);  // not compared at once
  CHECK(state.results->document == document_of(64, 32));
  REQUIRE(state.checks);
  REQUIRE(state.comparison);
  const StageIndex scores = *state.results->graph.find("scores");
  CHECK(state.comparison->stages.size() == state.results->outputs.size());
  CHECK(state.comparison->stages[scores] == doctest::Approx(0.25).epsilon(1e-5));
}

TEST_CASE("new results take the comparison of the old ones away") {
  Budget budget;
  Engine engine(shifted(0.25f), budget);
  REQUIRE(computed(engine, document_of(64, 16)).comparison);
  engine.use(shifted(0));
  engine.wait_idle();
  REQUIRE(engine.state().comparison);
  CHECK(engine.state().comparison->largest == 0);
}

TEST_CASE("devices are listed on request and a failing survey is a note") {
  Budget budget;
  Engine engine(shifted(0), budget);
  CHECK(!engine.state().surveyed);
  engine.survey([] { return std::vector<DeviceChoice>{{0, "first"}, {1, "second"}}; });
  engine.wait_idle();
  REQUIRE(engine.state().devices.size() == 2);
  CHECK(engine.state().devices[1].title == "second");
  CHECK(engine.state().surveyed);
  engine.survey([]() -> std::vector<DeviceChoice> { throw Error("no platform", Fault::device); });
  engine.wait_idle();
  CHECK(engine.state().devices.empty());
  CHECK(engine.state().notes.back() == "no platform");
}

TEST_CASE("a device that cannot be made is named until another one is") {
  Budget budget;
  Engine engine(shifted(0), budget);
  engine.post({document_of(5, 4), &kLayerPlan});
  engine.wait_idle();
  engine.use([](std::vector<std::string>&) -> std::unique_ptr<Backend> {
    throw Error("there is no device 7", Fault::device);
  });
  engine.wait_idle();
  CHECK(engine.state().device_error == "there is no device 7");
  CHECK(engine.state().device == "shifted");
  engine.use(shifted(0));
  engine.wait_idle();
  CHECK(engine.state().device_error.empty());
}

TEST_CASE("a mask is counted rule by rule") {
  Graph graph;
  const auto count_of = [&](std::vector<MaskTerm> rules) {
    const StageIndex stage =
        graph.add({.id = "mask", .title = {}, .formula = {}, .operation = Mask{10, 20, std::move(rules)}});
    return operation_count(graph, stage);
  };
  CHECK(count_of({}) == 200);
  CHECK(count_of(std::vector<MaskTerm>(40, {BlocksRule{{1, 2}}})) == 41 * 200);
  CHECK(count_of(std::vector<MaskTerm>(3, {RandomRule{1, 2}})) == 25 * 200);
}
