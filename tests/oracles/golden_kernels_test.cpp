// Kernel regression against numbers that numpy computed from the definitions: the whole graph in double, on
// the reference, and on every OpenCL device that passes its self-test.
#include "core/document/document_fields.h"
#include "core/kernels/graph.h"
#include "core/reference/backend.h"
#include "tests/layers.h"
#include "tests/oracles/golden_arrays.h"

namespace attn::golden {
namespace {

Tensor as_tensor(const Array64& array) {
  const std::size_t rows = array.shape[0], columns = array.shape.size() > 1 ? array.shape[1] : 1;
  std::vector<float> values;
  for (const double value : array.values) values.push_back(static_cast<float>(value));
  return {{1, rows, columns}, std::move(values)};
}

KernelsSpec spec_of(const nlohmann::json& entry, const std::map<std::string, Array64>& arrays) {
  KernelsSpec spec;
  spec.set = PointSet::own;
  spec.points = as_tensor(arrays.at("points"));
  if (arrays.contains("key_widths")) spec.key_widths = as_tensor(arrays.at("key_widths"));
  spec.kernels = {*kernels_field::kernels.each.choice_of(entry.at("kernel").get<std::string>())};
  spec.widths = {entry.at("width").get<double>()};
  if (!entry.at("neighbours").is_null()) {
    spec.width_rule = WidthRule::neighbours;
    spec.neighbours = entry.at("neighbours").get<std::size_t>();
  }
  spec.linear = arrays.contains("line");
  spec.first = entry.at("first").get<double>(), spec.last = entry.at("last").get<double>();
  spec.queries = entry.at("queries").get<std::size_t>();
  return spec;
}

std::vector<ArraysCase> load_kernels_cases() {
  return load_arrays("golden_kernels", [](const nlohmann::json& entry, ArraysCase& c) {
    c.document.kernels = spec_of(entry, c.expected);
  });
}

// Calls check(name of the array, stage) for what a case has numbers of.
template <class Check>
void for_each_kernel_array(const ArraysCase& c, Check check) {
  const KernelStages stages = tests::places_in<KernelsPlaces>(build_kernels(c.document)).curves[0];
  check("weights", *stages.weights);
  check("estimate", stages.estimate);
  if (c.expected.contains("line")) check("line", *stages.line);
  if (c.expected.contains("loo_errors")) check("loo_errors", *stages.errors);
}

void compare_kernels_floats(Backend& backend) {
  INFO(backend.name());
  for (const ArraysCase& c : load_kernels_cases()) {
    const std::vector<Tensor> outputs = computed(backend, build_kernels(c.document).graph);
    for_each_kernel_array(c, [&](const std::string& name, StageIndex stage) {
      if (name == "line") return;  // read far from its points it multiplies their roundings
      compare(c, name, outputs[stage], allowed_of_floats);
    });
  }
}

}  // namespace

TEST_CASE("kernel regression in double is what numpy computes") {
  const std::vector<ArraysCase> cases = load_kernels_cases();
  CHECK(cases.size() > 150);
  for (const ArraysCase& c : cases) {
    const std::vector<Tensor64> outputs = evaluate_in_double(build_kernels(c.document).graph);
    for_each_kernel_array(c, [&](const std::string& name, StageIndex stage) {
      const double digits = name == "line" ? 1e-7 : name == "loo_errors" ? 1e-7 : 1e-12;
      compare(c, name, outputs[stage], [&](double b) { return digits * (1 + std::abs(b)); });
    });
  }
}

TEST_CASE("kernel regression on the reference is what numpy computes") {
  compare_kernels_floats(*make_reference_backend());
}

TEST_CASE("kernel regression on every OpenCL device that passes its self-test is what numpy computes") {
  on_every_device(compare_kernels_floats);
}

}  // namespace attn::golden
