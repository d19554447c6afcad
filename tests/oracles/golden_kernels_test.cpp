// Kernel regression against numbers that numpy computed from the definitions: the whole graph in double, on
// the reference, and on every OpenCL device that passes its self-test.
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "core/document_fields.h"
#include "core/io/file.h"
#include "core/io/npz.h"
#include "core/kernels/kernels_graph.h"
#include "core/opencl/devices.h"
#include "core/reference/backend.h"
#include "core/run.h"
#include "tests/places.h"

namespace attn::golden {
namespace {

struct KernelCase {
  std::string name;
  Document document = {};
  std::map<std::string, Array64> expected = {};
};

Tensor as_tensor(const Array64& array) {
  const std::size_t rows = array.shape[0], columns = array.shape.size() > 1 ? array.shape[1] : 1;
  std::vector<float> values;
  for (const double value : array.values) values.push_back(static_cast<float>(value));
  return {{1, rows, columns}, std::move(values)};
}

KernelsSpec spec_of(const nlohmann::json& entry, const std::map<std::string, Array64>& arrays) {
  KernelsSpec spec;
  const std::string name = entry.at("name").get<std::string>();
  spec.set = PointSet::own;
  spec.points = as_tensor(arrays.at(name + "/points"));
  if (arrays.contains(name + "/key_widths")) spec.key_widths = as_tensor(arrays.at(name + "/key_widths"));
  spec.kernels = {*kernels_field::kernels.each.choice_of(entry.at("kernel").get<std::string>())};
  spec.widths = {entry.at("width").get<double>()};
  if (!entry.at("neighbours").is_null()) {
    spec.width_rule = WidthRule::neighbours;
    spec.neighbours = entry.at("neighbours").get<std::size_t>();
  }
  spec.linear = arrays.contains(name + "/line");
  spec.first = entry.at("first").get<double>(), spec.last = entry.at("last").get<double>();
  spec.queries = entry.at("queries").get<std::size_t>();
  return spec;
}

std::vector<KernelCase> load() {
  const std::string folder = std::string(kSourceDir) + "/tests/oracles/golden_kernels";
  const auto arrays = parse_npz<double>(read_file(folder + ".npz"));
  std::ifstream index(folder + ".json");
  std::vector<KernelCase> cases;
  for (const auto& entry : nlohmann::json::parse(index)) {
    KernelCase c{.name = entry.at("name").get<std::string>()};
    c.document.kernels = spec_of(entry, arrays);
    for (const auto& [name, array] : arrays)
      if (name.starts_with(c.name + "/")) c.expected[name.substr(c.name.size() + 1)] = array;
    cases.push_back(std::move(c));
  }
  return cases;
}

// Calls check(name of the array, stage) for what a case has numbers of.
template <class Check>
void for_each_array(const KernelCase& c, Check check) {
  const KernelStages stages = kernels_layout(c.document).curves[0];
  check("weights", *stages.weights);
  check("estimate", stages.estimate);
  if (c.expected.contains("line")) check("line", *stages.line);
  if (c.expected.contains("loo_errors")) check("loo_errors", *stages.errors);
}

template <class T, class Allowed>
void compare(const KernelCase& c, const std::string& name, const BasicTensor<T>& actual, Allowed allowed) {
  const Array64& expected = c.expected.at(name);
  INFO(c.name, ", ", name);
  REQUIRE(actual.values().size() == expected.values.size());
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    const double a = actual.values()[i], b = expected.values[i];
    INFO("number ", i, ": ", a, ", expected ", b);
    CHECK(((std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= allowed(b)));
  }
}

void compare_floats(Backend& backend) {
  INFO(backend.name());
  for (const KernelCase& c : load()) {
    const Graph graph = build_kernels(c.document);
    std::vector<Tensor> outputs(graph.stages.size());
    run_stages(backend, graph, {.done = [&](StageIndex i, const Tensor& t) { outputs[i] = t; }});
    for_each_array(c, [&](const std::string& name, StageIndex stage) {
      if (name == "line") return;  // read far from its points it multiplies their roundings
      compare(c, name, outputs[stage], [](double b) { return 2e-6 + 2e-5 * std::abs(b); });
    });
  }
}

}  // namespace

TEST_CASE("kernel regression in double is what numpy computes") {
  const std::vector<KernelCase> cases = load();
  CHECK(cases.size() > 150);
  for (const KernelCase& c : cases) {
    const std::vector<Tensor64> outputs = evaluate_in_double(build_kernels(c.document));
    for_each_array(c, [&](const std::string& name, StageIndex stage) {
      const double digits = name == "line" ? 1e-7 : name == "loo_errors" ? 1e-7 : 1e-12;
      compare(c, name, outputs[stage], [&](double b) { return digits * (1 + std::abs(b)); });
    });
  }
}

TEST_CASE("kernel regression on the reference is what numpy computes") {
  compare_floats(*make_reference_backend());
}

TEST_CASE("kernel regression on every OpenCL device that passes its self-test is what numpy computes") {
  std::size_t passed = 0;
  for (const opencl::Device& device : opencl::survey_devices().devices) {
    if (!device.passed) continue;
    ++passed;
    Budget budget;
    std::vector<std::string> notes;
    compare_floats(*opencl::choose_backend(std::to_string(device.index), budget, notes));
  }
  CHECK(passed >= 1);
}

}  // namespace attn::golden
