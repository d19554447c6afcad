// Layers of every scoring function and weighting, of capped scores and normed queries and keys, and of local
// attention, against
// numbers that numpy computed from the definitions: in double, on the reference, and on every OpenCL device
// that passes its self-test.
#include "core/reference/backend.h"
#include "tests/oracles/golden_arrays.h"
#include "tests/oracles/golden_cases.h"

namespace attn::golden {
namespace {

using Words = std::vector<std::string>;

struct ScoringCase : ArraysCase {
  Words stages;
};

std::vector<ScoringCase> load_scoring_cases() {
  std::vector<ScoringCase> cases;
  const auto read = [&](const nlohmann::json& entry, ArraysCase& c) {
    std::map<std::string, Array64> inputs;
    for (const std::string name : entry.at("inputs")) inputs[name] = c.expected.at(name);
    c.document.layer() = layer_of(inputs, entry.at("options").get<Words>());
    cases.push_back({{}, entry.at("stages").get<Words>()});
  };
  std::vector<ArraysCase> loaded = load_arrays("golden_scoring", read);
  for (std::size_t i = 0; i < cases.size(); ++i) static_cast<ArraysCase&>(cases[i]) = std::move(loaded[i]);
  return cases;
}

void compare_scoring_floats(Backend& backend) {
  INFO(backend.name());
  for (const ScoringCase& c : load_scoring_cases()) {
    const Graph graph = build_graph(c.document.layer());
    const std::vector<Tensor> outputs = computed(backend, graph);
    for (const std::string& stage : c.stages)
      compare(c, stage, outputs[graph.find(stage).value()], allowed_of_floats);
  }
}

}  // namespace

TEST_CASE("scoring functions and weightings and caps and norms in double are what numpy computes") {
  const std::vector<ScoringCase> cases = load_scoring_cases();
  CHECK(cases.size() > 90);
  for (const ScoringCase& c : cases) {
    const Graph graph = build_graph(c.document.layer());
    const std::vector<Tensor64> outputs = evaluate_in_double(graph);
    for (const std::string& stage : c.stages)
      compare(c, stage, outputs[graph.find(stage).value()],
              [](double b) { return 1e-12 * (1 + std::abs(b)); });
  }
}

TEST_CASE("scoring functions and weightings and caps and norms on the reference are what numpy computes") {
  compare_scoring_floats(*make_reference_backend());
}

TEST_CASE(
    "scoring functions and weightings and caps and norms on every OpenCL device are what numpy computes") {
  on_every_device(compare_scoring_floats);
}

}  // namespace attn::golden
