// Layers by linear attention against a recurrent network that numpy computed from the definitions, one key
// after the other: in double, on the reference, and on every OpenCL device that passes its self-test.
#include "core/attention/layer_linear.h"
#include "core/operations/linear_attention.h"
#include "core/reference/backend.h"
#include "tests/oracles/golden_arrays.h"
#include "tests/oracles/golden_cases.h"

namespace attn::golden {
namespace {

struct LinearCase : ArraysCase {
  LinearRequest request;
};

LinearRequest request_of(const nlohmann::json& features) {
  const std::string kind = features.at(0);
  if (kind == "elu") return {};
  if (kind == "relu") return {.kind = FeatureKind::relu};
  REQUIRE(kind == "random");
  return {FeatureKind::random, features.at(1), features.at(2)};
}

std::vector<LinearCase> load_linear_cases() {
  std::vector<LinearCase> cases;
  const auto read = [&](const nlohmann::json& entry, ArraysCase& c) {
    std::map<std::string, Array64> inputs;
    for (const char* name : {"q", "k", "v"}) inputs[name] = c.expected.at(name);
    c.document.layer() = layer_of(inputs, entry.at("options").get<std::vector<std::string>>());
    cases.push_back({{}, request_of(entry.at("features"))});
  };
  std::vector<ArraysCase> loaded = load_arrays("golden_linear", read);
  for (std::size_t i = 0; i < cases.size(); ++i) static_cast<ArraysCase&>(cases[i]) = std::move(loaded[i]);
  return cases;
}

Graph linear_graph(const LinearCase& c) {
  Graph graph;
  append_linear_layer(graph, c.document.layer(), c.request);
  return graph;
}

template <class Outputs, class Allowed>
void compare_linear(const LinearCase& c, const Graph& graph, const Outputs& outputs, Allowed allowed) {
  for (const char* stage : {"features", "phi_q", "phi_k", "state", "state_sum", "head_output"})
    if (c.expected.contains(stage)) compare(c, stage, outputs[graph.find(stage).value()], allowed);
}

// Behind each key the state is what the network carries: `run(operation, inputs)` computes.
template <class T, class Run, class Allowed>
void compare_states(const LinearCase& c, const std::vector<BasicTensor<T>>& inputs, Run run,
                    Allowed allowed) {
  const Array64& after = c.expected.at("after");
  const std::size_t numbers = after.values.size() / after.shape.at(0);
  for (std::size_t keys = 0; keys < after.shape.at(0); ++keys) {
    INFO(c.name, ", behind ", keys, " keys");
    const BasicTensor<T> state = run(LinearState{keys}, inputs);
    REQUIRE(state.values().size() == numbers);
    for (std::size_t i = 0; i < numbers; ++i) {
      const double expected = after.values[keys * numbers + i];
      CHECK(std::abs(static_cast<double>(state.values()[i]) - expected) <= allowed(expected));
    }
  }
}

constexpr auto allowed_of_doubles = [](double b) { return 1e-12 * (1 + std::abs(b)); };

void compare_linear_floats(Backend& backend) {
  INFO(backend.name());
  for (const LinearCase& c : load_linear_cases()) {
    const Graph graph = linear_graph(c);
    const std::vector<Tensor> outputs = computed(backend, graph);
    compare_linear(c, graph, outputs, allowed_of_floats);
    compare_states<float>(
        c, {outputs[graph.find("phi_k").value()], outputs[graph.find("v").value()]},
        [&](const Operation& op, const std::vector<Tensor>& inputs) { return backend.run(op, inputs); },
        allowed_of_floats);
  }
}

}  // namespace

TEST_CASE("linear attention in double is the recurrent network that numpy runs") {
  const std::vector<LinearCase> cases = load_linear_cases();
  CHECK(cases.size() >= 39);
  std::size_t gaps = 0;
  for (const LinearCase& c : cases) {
    const Graph graph = linear_graph(c);
    const std::vector<Tensor64> outputs = evaluate_in_double(graph);
    compare_linear(c, graph, outputs, allowed_of_doubles);
    compare_states<double>(
        c, {outputs[graph.find("phi_k").value()], outputs[graph.find("v").value()]},
        [](const Operation& op, const std::vector<Tensor64>& inputs) { return run_in_double(op, inputs); },
        allowed_of_doubles);
    for (const double number : c.expected.at("head_output").values) gaps += std::isnan(number);
  }
  CHECK(gaps > 0);
}

TEST_CASE("linear attention on the reference is the recurrent network that numpy runs") {
  compare_linear_floats(*make_reference_backend());
}

TEST_CASE("linear attention on every OpenCL device is the recurrent network that numpy runs") {
  on_every_device(compare_linear_floats);
}

}  // namespace attn::golden
