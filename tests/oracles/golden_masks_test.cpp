// Masks, fills and empty rows against numbers that numpy computed from the definitions: the layer's graph in
// double, on the reference, and on every OpenCL device that passes its self-test. Cases are command lines.
#include "core/reference/backend.h"
#include "tests/oracles/golden_arrays.h"
#include "tests/oracles/golden_cases.h"

namespace attn::golden {
namespace {

std::vector<ArraysCase> load_masks_cases() {
  return load_arrays("golden_masks", [](const nlohmann::json& entry, ArraysCase& c) {
    std::map<std::string, Array64> inputs;
    for (const char* name : {"q", "k", "v"}) inputs[name] = c.expected.at(name);
    c.document.layer() = layer_of(inputs, entry.at("options").get<std::vector<std::string>>());
  });
}

template <class Outputs, class Allowed>
void compare_stages(const ArraysCase& c, const Graph& graph, const Outputs& outputs, Allowed allowed) {
  for (const char* id : {"mask", "masked", "weights", "head_output"}) {
    INFO(c.name, ", ", id);
    const std::vector<double>& expected = c.expected.at(id).values;
    const auto actual = outputs[graph.find(id).value()].values();
    const auto tolerance = [&](std::size_t i) { return allowed(expected[i]); };
    CHECK(first_difference(actual, std::span<const double>(expected), tolerance) == "");
  }
}

void compare_masks_floats(Backend& backend) {
  INFO(backend.name());
  for (const ArraysCase& c : load_masks_cases()) {
    const Graph graph = build_graph(c.document.layer());
    compare_stages(c, graph, computed(backend, graph), allowed_of_floats);
  }
}

}  // namespace

TEST_CASE("golden masks hold in double") {
  const std::vector<ArraysCase> cases = load_masks_cases();
  CHECK(cases.size() > 150);
  for (const ArraysCase& c : cases) {
    const Graph graph = build_graph(c.document.layer());
    compare_stages(c, graph, evaluate_in_double(graph), [](double b) { return 1e-13 * (1 + std::abs(b)); });
  }
}

TEST_CASE("golden masks hold on the reference") {
  compare_masks_floats(*make_reference_backend());
}

TEST_CASE("golden masks hold on every OpenCL device") {
  on_every_device(compare_masks_floats);
}

}  // namespace attn::golden
