// The workspace of the softmax against numbers that numpy computed from the definitions: its graph in double,
// on the reference, and on every OpenCL device that passes its self-test.
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "core/io/file.h"
#include "core/io/npz.h"
#include "core/opencl/devices.h"
#include "core/reference/backend.h"
#include "core/run.h"
#include "core/softmax/softmax_graph.h"
#include "core/softmax/softmax_numbers.h"
#include "tests/places.h"

namespace attn::golden {
namespace {

struct SoftmaxCase {
  std::string name;
  Document document = {};
  std::map<std::string, Array64> expected = {};
};

std::vector<SoftmaxCase> load() {
  const std::string folder = std::string(kSourceDir) + "/tests/oracles/golden_softmax";
  const auto arrays = parse_npz<double>(read_file(folder + ".npz"));
  std::ifstream index(folder + ".json");
  std::vector<SoftmaxCase> cases;
  for (const auto& entry : nlohmann::json::parse(index)) {
    SoftmaxCase c{.name = entry.at("name").get<std::string>()};
    for (const auto& [name, array] : arrays)
      if (name.starts_with(c.name + "/")) c.expected[name.substr(c.name.size() + 1)] = array;
    SoftmaxSpec& spec = c.document.softmax;
    std::vector<float> scores;
    for (const double z : c.expected.at("scores").values) scores.push_back(static_cast<float>(z));
    own_row(spec, scores, {});
    spec.masked = entry.at("masked").get<std::vector<std::size_t>>();
    spec.temperature = entry.at("temperature").get<double>();
    spec.weightings = {Weighting::softmax_1, Weighting::sparsemax, Weighting::sigmoid, Weighting::relu,
                       Weighting::hard};
    spec.pairs = 16;
    cases.push_back(std::move(c));
  }
  return cases;
}

// Calls check(name of the array, stage) for what a case has numbers of.
template <class Check>
void for_each_array(const SoftmaxCase& c, Check check) {
  const SoftmaxLayout layout = softmax_layout(c.document);
  check("weights", layout.softmax.weights);
  check("jacobian", *layout.jacobian);
  check("entropy", layout.entropy);
  check("curves", layout.curves.weights);
  check("curve_entropy", layout.curves.entropy);
  for (const WeightingStages& stages : layout.others)
    check(std::string(weighting_text(stages.weighting).word), stages.weights);
}

template <class T, class Allowed>
void compare(const SoftmaxCase& c, const std::string& name, const BasicTensor<T>& actual, Allowed allowed) {
  const Array64& expected = c.expected.at(name);
  INFO(c.name, ", ", name);
  REQUIRE(actual.values().size() == expected.values.size());
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    const double a = actual.values()[i], b = expected.values[i];
    INFO("number ", i, ": ", a, ", expected ", b);
    CHECK(((std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= allowed(b)));
  }
}

std::vector<Tensor> computed(Backend& backend, const Document& document) {
  const Graph graph = build_softmax(document);
  std::vector<Tensor> outputs(graph.stages.size());
  run_stages(backend, graph, {.done = [&](StageIndex i, const Tensor& t) { outputs[i] = t; }});
  return outputs;
}

// numpy takes the exponential in double and rounds it once, which a device's float exponential may miss by a
// number of the format: half of the distance of its numbers goes into each share, and so into the weights.
void compare_formats(Backend& backend, const SoftmaxCase& c) {
  struct Kind {
    const char* name;
    NumberFormat format;
    bool subtract;
    SumOrder order;
  };
  for (const Kind& kind : {Kind{"float16", NumberFormat::float16, true, SumOrder::in_order},
                           Kind{"float16 pairs", NumberFormat::float16, true, SumOrder::pairs},
                           Kind{"float16 raw", NumberFormat::float16, false, SumOrder::in_order},
                           Kind{"float32 raw", NumberFormat::float32, false, SumOrder::in_order}}) {
    Document document = c.document;
    document.softmax.format = kind.format, document.softmax.subtract_maximum = kind.subtract;
    document.softmax.summation = kind.order;
    const StageIndex weights = softmax_layout(document).format.weights;
    const double unit = kind.format == NumberFormat::float16 ? 0x1p-10 : 0x1p-22;
    const bool exact = backend.name() == kReference;
    compare(c, kind.name, computed(backend, document)[weights],
            [&](double b) { return exact ? 0 : unit * std::abs(b) + 0x1p-24; });
  }
}

void compare_floats(Backend& backend) {
  INFO(backend.name());
  for (const SoftmaxCase& c : load()) {
    const std::vector<Tensor> outputs = computed(backend, c.document);
    for_each_array(c, [&](const std::string& name, StageIndex stage) {
      compare(c, name, outputs[stage], [](double b) { return 2e-6 + 2e-5 * std::abs(b); });
    });
    compare_formats(backend, c);
  }
}

}  // namespace

TEST_CASE("the softmax and what stands instead of it in double are what numpy computes") {
  const std::vector<SoftmaxCase> cases = load();
  CHECK(cases.size() > 40);
  for (const SoftmaxCase& c : cases) {
    const std::vector<Tensor64> outputs = evaluate_in_double(build_softmax(c.document));
    for_each_array(c, [&](const std::string& name, StageIndex stage) {
      // Temperatures of the curves are floats.
      const double digits = name.starts_with("curve") ? 2e-5 : 1e-12;
      compare(c, name, outputs[stage], [&](double b) { return digits * (1 + std::abs(b)); });
    });
  }
}

TEST_CASE("what is said of a row is what numpy computes") {
  for (const SoftmaxCase& c : load()) {
    const auto outputs = evaluate_in_double(build_softmax(c.document));
    const Saturation s = saturation_of(outputs[softmax_layout(c.document).tempered].values());
    const auto expected = [&](const char* name) { return c.expected.at(name).values[0]; };
    INFO(c.name);
    CHECK(s.norm == doctest::Approx(expected("norm")).epsilon(1e-12));
    CHECK(std::abs(s.entropy - expected("entropy")) <= 1e-12);
    CHECK(std::abs(s.gradient - expected("gradient")) <= 1e-12);
    const auto tempered = outputs[softmax_layout(c.document).tempered].values();
    CHECK(log_sum_exp(tempered) == doctest::Approx(expected("lse")).epsilon(1e-12));
  }
}

TEST_CASE("the softmax and what stands instead of it on the reference is what numpy computes") {
  compare_floats(*make_reference_backend());
}

TEST_CASE("the softmax and what stands instead of it on every OpenCL device is what numpy computes") {
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
