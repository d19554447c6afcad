// What keeps scores small: the soft cap, and queries and keys brought to one size.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/core/direct_layers.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("a soft cap bends large scores and leaves small ones and its range is said") {
  LayerSpec layer = direct_layer({1, 2, 2}, {1, 3, 2}, 13);
  layer.scale = {ScaleMode::none, 1};
  const Tensor64 scores = stage_of(layer, "scores");
  layer.soft_cap = 0.5;
  const Tensor64 capped = stage_of(layer, "capped");
  for (std::size_t i = 0; i < scores.values().size(); ++i)
    CHECK(capped.values()[i] == doctest::Approx(0.5 * std::tanh(scores.values()[i] / 0.5)).epsilon(1e-14));
  layer.soft_cap = 0;
  CHECK_FALSE(build_graph(layer).find("capped"));
  layer.soft_cap = 1e-9;
  CHECK(contains(message_of([&] { build_graph(layer); }), "soft cap"));
}

TEST_CASE(
    "normed queries and keys have the root mean square of the gain and their scores do not grow with them") {
  LayerSpec layer = direct_layer({1, 3, 4}, {1, 3, 4}, 14);
  layer.qk_norm = true, layer.qk_gain = 1.5;
  const Tensor64 q = stage_of(layer, "q_gained");
  for (std::size_t i = 0; i < 3; ++i) {
    double squares = 0;
    for (std::size_t j = 0; j < 4; ++j) squares += q[{0, i, j}] * q[{0, i, j}];
    CHECK(std::sqrt(squares / 4) == doctest::Approx(1.5).epsilon(1e-5));
  }
  const Tensor64 scores = stage_of(layer, "scores");
  std::vector<float> larger;
  for (const float x : layer.q.values()) larger.push_back(1000 * x);
  layer.q = Tensor(layer.q.shape(), std::move(larger));
  const Tensor64 again = stage_of(layer, "scores");
  for (std::size_t i = 0; i < scores.values().size(); ++i)
    CHECK(again.values()[i] == doctest::Approx(scores.values()[i]).epsilon(1e-5));
}

TEST_CASE("the norm comes before the rotation") {
  LayerSpec layer = direct_layer({1, 3, 4}, {1, 3, 4}, 15);
  layer.qk_norm = true, layer.position = Rotary{};
  const Graph graph = build_graph(layer);
  const Stage& rotated = graph.stages[graph.find("q_rotated").value()];
  CHECK(graph.stages[rotated.inputs[0]].id == "q_normed");
}
