// Whole layers against numbers that torch, numpy and R computed: in double end to end, on the reference, and
// on every OpenCL device that passes its self-test.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/evaluate/evaluator.h"
#include "core/reference/backend.h"
#include "tests/devices.h"
#include "tests/oracles/golden_cases.h"

namespace attn::golden {
namespace {

constexpr double kDoubleRoundoff = 0x1p-53, kFloatRoundoff = 0x1p-24;

// `all`, cut to the numbers of one stage.
std::span<const double> cut(const std::vector<double>& all, const ExpectedStage& stage) {
  return std::span<const double>(all).subspan(stage.offset, stage.shape.size());
}

// A stage's numbers in the shape of the expectation: a mask that the heads share is one matrix in the graph.
template <class T>
std::vector<T> for_all_heads(const BasicTensor<T>& tensor, Shape shape) {
  const std::size_t repeats = tensor.stack() ? shape.stack / tensor.stack() : 0;
  std::vector<T> values;
  for (std::size_t r = 0; r < repeats; ++r)
    values.insert(values.end(), tensor.values().begin(), tensor.values().end());
  return values;
}

std::vector<std::string> traced_ids(const Graph& graph) {
  std::vector<std::string> ids;
  for (const Stage& stage : graph.stages)
    if (stage.traced) ids.push_back(stage.id);
  return ids;
}

std::vector<std::string> expected_ids(const GoldenCase& golden) {
  std::vector<std::string> ids;
  for (const ExpectedStage& stage : golden.stages) ids.push_back(stage.id);
  return ids;
}

// Every stage of the case on a float backend. The worst-case bound holds for any honest float arithmetic; for
// ordinary inputs the distance promised for devices holds too.
void check_floats(const GoldenCase& golden, Backend& backend) {
  Budget budget;
  Evaluator evaluator(backend, budget);
  const LayerSpec layer = layer_of(golden);
  const Results results = evaluator.evaluate(Document{{layer}}, build_graph(layer));
  for (const ExpectedStage& stage : golden.stages) {
    INFO(golden.name << ", stage " << stage.id << " on " << backend.name());
    const std::vector<float> actual = for_all_heads(results.output(stage.id), stage.shape);
    const auto bound = cut(golden.bound, stage);
    // A row to which -1e9 is added rounds to other numbers in float than in double (see make_golden.py):
    // there the oracle is torch in single precision, and only the promised distance applies.
    const auto expected = cut(golden.float32.empty() ? golden.expected : golden.float32, stage);
    const auto within_bound = [&](std::size_t i) {  // devices may flush subnormal numbers to zero
      return bound[i] * kFloatRoundoff + std::numeric_limits<float>::min();
    };
    const auto promised = [&](std::size_t i) { return 2e-6 + 2e-5 * std::abs(expected[i]); };
    if (golden.float32.empty()) CHECK(first_difference<float>(actual, expected, within_bound) == "");
    if (golden.ordinary) CHECK(first_difference<float>(actual, expected, promised) == "");
  }
}

TEST_CASE("golden cases name every stage that the graph traces") {
  const std::vector<GoldenCase> cases = load_cases();
  CHECK(cases.size() >= 40);
  for (const GoldenCase& golden : cases) {
    INFO(golden.name);
    CHECK(traced_ids(build_graph(layer_of(golden))) == expected_ids(golden));
  }
}

TEST_CASE("golden cases hold in double to the rounding of double") {
  for (const GoldenCase& golden : load_cases()) {
    const Graph graph = build_graph(layer_of(golden));
    const std::vector<Tensor64> outputs = evaluate_in_double(graph);
    for (const ExpectedStage& stage : golden.stages) {
      INFO(golden.name << ", stage " << stage.id);
      const auto bound = cut(golden.bound, stage);
      const std::vector<double> actual = for_all_heads(outputs.at(graph.find(stage.id).value()), stage.shape);
      // Twice: the oracle rounds as well. Below the least normal number a rounding is absolute.
      const auto tolerance = [&](std::size_t i) {
        return 2 * bound[i] * kDoubleRoundoff + std::numeric_limits<double>::min();
      };
      CHECK(first_difference<double>(actual, cut(golden.expected, stage), tolerance) == "");
    }
  }
}

TEST_CASE("golden cases hold on the reference") {
  const auto reference = make_reference_backend();
  for (const GoldenCase& golden : load_cases()) check_floats(golden, *reference);
}

TEST_CASE("golden cases hold on every OpenCL device that passes its self-test") {
  const opencl::Survey survey = tests::devices()->survey();
  std::size_t passed = 0;
  for (const opencl::Device& device : survey.devices) {
    if (!device.passed) continue;
    ++passed;
    Budget budget;
    std::vector<std::string> choice;
    const auto backend = tests::devices()->choose(std::to_string(device.index), budget, choice);
    for (const GoldenCase& golden : load_cases()) check_floats(golden, *backend);
  }
  std::string notes;
  for (const std::string& note : survey.notes) notes += note + "\n";
  INFO(notes);
  CHECK(passed >= 1);  // the tests' packages include PoCL, which makes the processor a device
}

}  // namespace
}  // namespace attn::golden
