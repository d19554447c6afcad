// Results held against the reference while they are computed: what is right passes, however difficult its
// numbers, and what is wrong is named with its place.
#include "core/opencl/watch.h"

#include <doctest/doctest.h>

#include <functional>
#include <limits>

#include "core/evaluate/run.h"
#include "core/opencl/backend.h"
#include "core/reference/backend.h"
#include "core/system/error.h"
#include "tests/opencl/opened.h"
#include "tests/random_layer.h"

using namespace attn;
using namespace attn::opencl;
using namespace attn::tests;

namespace {

// Changes a stage's result, given its place in the graph's order of computed stages.
using Damage = std::function<void(const Operation&, Shape, std::vector<float>&)>;

// The reference, with its results damaged; what the watch says of it: its summary, or why it refuses.
std::string said(const Graph& graph, const Damage& damage, bool& refused) {
  const auto reference = make_reference_backend();
  Watch watch(graph);
  std::vector<Tensor> outputs;
  refused = false;
  try {
    for (StageIndex i = 0; i < graph.stages.size(); ++i) {
      std::vector<Tensor> inputs;
      for (const StageIndex input : graph.stages[i].inputs) inputs.push_back(outputs[input]);
      const Tensor right = reference->run(graph.stages[i].operation, inputs);
      outputs.push_back(right);
      if (graph.stages[i].given()) continue;
      std::vector<float> values(right.values().begin(), right.values().end());
      damage(graph.stages[i].operation, right.shape(), values);
      watch.look("the device", i, inputs, Tensor(right.shape(), std::move(values)));
    }
    return watch.summary();
  } catch (const Error& error) {
    CHECK(error.fault() == Fault::device);
    refused = true;
    return error.what();
  }
}

void leave(const Operation&, Shape, std::vector<float>&) {}

// Adds to one cell of the scores.
Damage shifted(std::size_t cell, float by) {
  return [=](const Operation& operation, Shape, std::vector<float>& values) {
    const auto* product = std::get_if<MatMul>(&operation);
    if (product && product->transpose_right) values.at(cell) += by;
  };
}

Graph direct(std::size_t tokens, std::size_t width, float size = 1, std::size_t heads = 1) {
  Random random(71);
  LayerSpec layer;
  layer.direct = true;
  layer.q = normal(random, {heads, tokens, width}, size);
  layer.k = normal(random, {heads, tokens, width}, size);
  layer.v = normal(random, {heads, tokens, width});
  return build_graph(layer);
}

}  // namespace

TEST_CASE("equal numbers pass and a number off by a little more than rounding is named") {
  const Graph graph = direct(5, 4, 1, 2);
  bool refused = false;
  CHECK(said(graph, leave, refused) == "compared with the reference: all numbers, all equal");
  CHECK_FALSE(refused);
  const std::string near = said(graph, shifted(38, 1e-6f), refused);
  CHECK_FALSE(refused);
  CHECK(near.starts_with("compared with the reference: all numbers, the farthest "));
  CHECK(near.ends_with(" from it (scores)"));
  const std::string far = said(graph, shifted(38, 1e-3f), refused);
  CHECK(refused);
  CHECK(far.starts_with("the device computes wrong numbers: scores[1, 2, 3] is "));
  CHECK(far.find(", on the reference ") != std::string::npos);
}

TEST_CASE("a wrong number is found however far large ones were from the reference before") {
  const Graph graph = direct(5, 4, 1e6f);
  bool refused = false;
  const std::string text = said(
      graph,
      [](const Operation& operation, Shape, std::vector<float>& values) {
        if (std::holds_alternative<Scale>(operation)) values[0] *= 1 + 1e-6f;  // a distance of thousands
        if (std::holds_alternative<Normalize>(operation)) values[7] += 0.25f;
      },
      refused);
  CHECK(refused);
  CHECK(text.find("weights[1, 2]") != std::string::npos);
}

TEST_CASE("what rounding makes of large terms that cancel is not wrong") {
  LayerSpec layer;
  layer.direct = true;
  layer.q = Tensor({1, 1, 2}, {1e6f, 1e6f});
  layer.k = Tensor({1, 1, 2}, {1e6f, -1e6f});
  layer.v = Tensor({1, 1, 1}, {1});
  bool refused = false;
  said(build_graph(layer), shifted(0, 1e-3f), refused);
  CHECK_FALSE(refused);
  said(build_graph(layer), shifted(0, 1e3f), refused);
  CHECK(refused);
}

TEST_CASE("numbers that are not finite must be the same") {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const Graph graph = direct(3, 2);
  bool refused = false;
  for (const float wrong : {kInfinity, std::numeric_limits<float>::quiet_NaN()}) {
    said(graph, shifted(4, wrong), refused);
    CHECK(refused);
  }
  LayerSpec masked;
  masked.direct = true;
  masked.q = masked.k = masked.v = Tensor({1, 2, 1}, {1, 2});
  masked.bias = Tensor({1, 2, 2}, {0, -kInfinity, 0, kInfinity});
  said(build_graph(masked), leave, refused);
  CHECK_FALSE(refused);
}

TEST_CASE("of a large layer rows are compared and those at its ends always are") {
  const Graph graph = direct(1200, 64);
  bool refused = false;
  const std::string text = said(graph, leave, refused);
  CHECK_FALSE(refused);
  CHECK(text.find(" rows, all equal") != std::string::npos);
  for (const std::size_t cell : {std::size_t{3}, std::size_t{1200 * 1200 - 1}}) {
    said(graph, shifted(cell, 1), refused);
    CHECK(refused);
  }
  said(
      graph,
      [](const Operation& operation, Shape shape, std::vector<float>& values) {
        if (std::holds_alternative<Normalize>(operation))  // a sixteenth of the rows
          for (std::size_t i = 15 * values.size() / 16; i < values.size() - shape.columns; ++i) values[i] = 0;
      },
      refused);
  CHECK(refused);
}

TEST_CASE("a device that passed its self-test passes with difficult numbers too") {
  const cl::Device device = test_devices().at(0);
  Budget budget;
  const auto backend = make_backend(device, best_variant(device), budget);
  Random random(72);
  for (int i = 0; i < 60; ++i) {
    LayerSpec layer = coin(random) ? random_direct(random) : random_projected(random);
    const float sizes[] = {1e-30f, 1e-3f, 1, 1e4f, 1e12f, 1e25f};
    for (Tensor* tensor : {&layer.x, &layer.q, &layer.k, &layer.w_q, &layer.w_v}) {
      if (tensor->empty()) continue;
      std::vector<float> values(tensor->values().begin(), tensor->values().end());
      const float size = sizes[pick(random, 0, 5)];
      for (float& v : values) v *= size;
      *tensor = Tensor(tensor->shape(), std::move(values));
    }
    layer.temperature = coin(random) ? 1 : 0;
    CAPTURE(i);
    const Graph graph = build_graph(layer);
    Watch watch(graph);
    const auto look = [&](StageIndex stage, Inputs inputs, const Tensor& output) {
      watch.look("PoCL", stage, inputs, output);
    };
    CHECK_NOTHROW(run_stages(*backend, graph, {.check = look}));
  }
}
