// Position encodings within a layer: which stages each brings, what a shift of all positions moves, and
// layers of odd sizes.
#include <doctest/doctest.h>

#include <cmath>

#include "core/attention/layer_fields.h"
#include "core/system/error.h"
#include "tests/devices.h"
#include "tests/random_layer.h"

using namespace attn;
using namespace attn::tests;

namespace {

LayerSpec layer_of(std::size_t n, std::size_t d, std::size_t heads, std::size_t d_k) {
  Random random(9);
  const float sd = 1 / std::sqrt(static_cast<float>(d));
  LayerSpec layer;
  layer.x = normal(random, {1, n, d});
  layer.w_q = normal(random, {1, d, heads * d_k}, sd);
  layer.w_k = normal(random, {1, d, heads * d_k}, sd);
  layer.w_v = normal(random, {1, d, heads * d_k}, sd);
  layer.heads = layer.kv_heads = heads;
  return layer;
}

// The same token everywhere: what its scores still tell apart is its position.
LayerSpec repeated_token(std::size_t n, std::size_t d) {
  LayerSpec layer = layer_of(n, d, 2, d / 2);
  std::vector<float> values;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < d; ++j) values.push_back(layer.x[{0, 0, j}]);
  layer.x = Tensor({1, n, d}, std::move(values));
  return layer;
}

std::vector<std::string> traced(const LayerSpec& layer) {
  std::vector<std::string> ids;
  for (const Stage& stage : build_graph(layer).stages)
    if (stage.traced) ids.push_back(stage.id);
  return ids;
}

// What the softmax reads.
Tensor scores_of(const LayerSpec& layer) {
  const Results r = evaluated({{layer}});
  return r.output(r.result("biased").here() ? "biased" : "scaled");
}

double largest_difference(const Tensor& a, const Tensor& b) {
  REQUIRE(a.shape() == b.shape());
  double most = 0;
  for (std::size_t i = 0; i < a.values().size(); ++i)
    most = std::max(most, std::abs(static_cast<double>(a.values()[i]) - b.values()[i]));
  return most;
}

double unevenness(const Tensor& scores) {
  double most = 0;
  for (std::size_t h = 0; h < scores.stack(); ++h)
    for (std::size_t i = 0; i + 1 < scores.rows(); ++i)
      for (std::size_t j = 0; j + 1 < scores.columns(); ++j)
        most = std::max(most, std::abs(static_cast<double>(scores[{h, i + 1, j + 1}]) - scores[{h, i, j}]));
  return most;
}

const std::vector<Position> kByOffset{Rotary(), Rotary{.pairing = Pairing::half}, Alibi(),
                                      Relative{.clip = 3, .seed = 2},
                                      T5Bias{.buckets = 8, .max_distance = 9}};

}  // namespace

TEST_CASE("each encoding brings the stages that it needs") {
  using Ids = std::vector<std::string>;
  LayerSpec layer = layer_of(4, 6, 1, 4);
  const Ids after{"row_max", "exp", "row_sum", "weights", "head_output", "concat", "output"};
  const auto check = [&](const Position& position, Ids expected) {
    layer.position = position;
    expected.insert(expected.end(), after.begin(), after.end());
    CHECK(traced(layer) == expected);
  };
  check(NoPosition(), {"x", "q", "k", "v", "scores", "scaled"});
  check(Sinusoidal(), {"x", "position", "q", "k", "v", "scores", "scaled"});
  check(Learned(), {"x", "position", "q", "k", "v", "scores", "scaled"});
  check(Rotary(), {"x", "q", "k", "v", "q_rotated", "k_rotated", "scores", "scaled"});
  check(Alibi(), {"x", "q", "k", "v", "scores", "scaled", "bias", "biased"});
  check(T5Bias(), {"x", "q", "k", "v", "scores", "scaled", "bias_table", "bias", "biased"});
  check(Relative(), {"x", "q", "k", "v", "scores", "scaled", "relative_keys", "relative_scores",
                     "relative_scaled", "bias", "biased"});
  layer.bias = Tensor({1, 4, 4}, std::vector<float>(16, 0.5f));
  check(Alibi(), {"x", "q", "k", "v", "scores", "scaled", "position_bias", "bias", "biased"});
}

TEST_CASE("encodings by offset give one score for each offset and the sinusoidal one does not") {
  LayerSpec layer = repeated_token(12, 16);
  for (const Position& position : kByOffset)
    for (const std::size_t first : {0u, 5000u}) {
      layer.position = position, layer.first_position = first;
      INFO(position_text(position).word);
      CHECK(unevenness(scores_of(layer)) <= 2e-5);
    }
  layer.first_position = 0;
  for (const Position& position : {Position(Sinusoidal()), Position(Learned())}) {
    layer.position = position;
    CHECK(unevenness(scores_of(layer)) > 0.1);
  }
}

TEST_CASE("a shift of all positions moves sinusoidal scores and leaves those by offset but for rounding") {
  LayerSpec layer = layer_of(7, 16, 2, 8);
  const auto moved = [&](const Position& position, std::size_t by) {
    layer.position = position, layer.first_position = 0;
    const Tensor before = scores_of(layer);
    layer.first_position = by;
    return largest_difference(before, scores_of(layer));
  };
  for (const std::size_t by : {1u, 100u, 100000u}) {
    for (const Position& position : kByOffset) {
      INFO(position_text(position).word);
      CHECK(moved(position, by) <= 2e-5);
    }
    CHECK(moved(Alibi(), by) == 0);
    CHECK(moved(Sinusoidal(), by) > 0.05);
  }
  CHECK(moved(Learned{.length = 107}, 100) > 0.05);
  CHECK_THROWS_AS(moved(Learned{.length = 106}, 100), Error);
}

TEST_CASE("odd widths lengths and bases are computed alike on the reference and on the device" *
          doctest::test_suite("long")) {
  Budget budget;
  std::vector<std::string> notes;
  const auto device = devices()->choose("auto", budget, notes);
  const auto reference = make_reference_backend();
  std::vector<Position> all = kByOffset;
  for (const double base : {1.0, 10000.0, 1e9}) {
    all.push_back(Sinusoidal{base});
    all.push_back(Rotary{.base = base});
  }
  all.push_back(Learned{.length = 600});
  for (const auto& [n, d] : {std::pair<std::size_t, std::size_t>{1, 2}, {1, 512}, {5, 2}, {3, 512}, {600, 4}})
    for (const Position& position : all) {
      LayerSpec layer = layer_of(n, d, 1, 2);
      layer.position = position;
      INFO(n, " tokens of ", d, ", ", position_text(position).word);
      const Graph graph = build_graph(layer);
      const Results a = Evaluator(*device, budget).evaluate({{layer}}, graph);
      const Results b = Evaluator(*reference, budget).evaluate({{layer}}, graph);
      for (const char* id : {"position", "q_rotated", "k_rotated", "bias", "biased", "weights", "output"}) {
        REQUIRE(a.result(id).kept() == b.result(id).kept());
        if (!a.result(id).here()) continue;
        const Tensor x = a.output(id), y = b.output(id);
        REQUIRE(x.shape() == y.shape());
        for (std::size_t i = 0; i < x.values().size(); ++i)
          CHECK(std::abs(static_cast<double>(x.values()[i]) - y.values()[i]) <=
                2e-6 + 2e-5 * std::abs(static_cast<double>(y.values()[i])));
      }
    }
}

TEST_CASE("added encodings need no even width and rotation says which it needs") {
  for (const std::size_t d : {1u, 3u, 7u}) {
    LayerSpec layer = layer_of(3, d, 1, d);
    for (const Position& position : {Position(Sinusoidal()), Position(Learned()), Position(Alibi()),
                                     Position(Relative{.values = true}), Position(T5Bias())}) {
      layer.position = position;
      CHECK(evaluated({{layer}}).output("output").columns() == d);
    }
    layer.position = Rotary();
    CHECK_THROWS_AS(build_graph(layer), Error);
    layer.position = *repaired(layer.position, d);
    CHECK(evaluated({{layer}}).output("output").columns() == d);
  }
}

TEST_CASE("a bias of the document and one of the position add up") {
  Random random(3);
  LayerSpec layer = layer_of(4, 6, 2, 3);
  layer.bias = normal(random, {2, 4, 4});
  layer.position = Alibi();
  const Results r = evaluated({{layer}});
  for (std::size_t i = 0; i < 32; ++i) {
    const Cell c = cell_at({2, 4, 4}, i);
    CHECK(r.output("bias")[c] == layer.bias[c] + r.output("position_bias")[c]);
    CHECK(r.output("biased")[c] ==
          doctest::Approx(r.output("scaled")[c] + r.output("bias")[c]).epsilon(1e-6));
  }
}
