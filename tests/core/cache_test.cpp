// Places over a cache: the last queries of a layer, asked alone over all of its keys, get what they got in
// the layer, whatever knows where tokens stand.
#include <doctest/doctest.h>

#include <cmath>

#include "core/attention/position_fields.h"
#include "core/evaluate/evaluator.h"
#include "tests/core/direct_layers.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr std::size_t kAll = 11, kLast = 3;

// Its last rows.
Tensor last_of(const Tensor& t) {
  std::vector<float> values;
  for (std::size_t s = 0; s < t.stack(); ++s)
    for (std::size_t i = t.rows() - kLast; i < t.rows(); ++i)
      for (std::size_t j = 0; j < t.columns(); ++j) values.push_back(t[{s, i, j}]);
  return {{t.stack(), kLast, t.columns()}, std::move(values)};
}

// How far the outputs of the last queries alone are from those in the layer.
double apart(const LayerSpec& whole, const LayerSpec& alone) {
  const Tensor64 all = stage_of(whole, "output"), last = stage_of(alone, "output");
  REQUIRE(last.rows() == kLast);
  double most = 0;
  for (std::size_t i = 0; i < kLast; ++i)
    for (std::size_t j = 0; j < last.columns(); ++j)
      most = std::max(most, std::abs(all[{0, kAll - kLast + i, j}] - last[{0, i, j}]));
  return most;
}

// Aligned to the last key, and told how many keys there are before the first query.
std::vector<LayerSpec> asked_alone(const LayerSpec& whole) {
  std::vector<LayerSpec> both(2, whole);
  for (LayerSpec& alone : both) {
    alone.q.empty() ? void(alone.x = last_of(whole.x)) : void(alone.q = last_of(whole.q));
    if (!whole.tokens.empty()) alone.tokens.assign(whole.tokens.end() - kLast, whole.tokens.end());
  }
  set_rule<CausalRule>(both[1], CausalRule{CausalAlign::top_left, kAll - kLast});
  return both;
}

void check_alone(const LayerSpec& whole, double allowed = 1e-12) {
  for (const LayerSpec& alone : asked_alone(whole)) CHECK(apart(whole, alone) <= allowed);
}

LayerSpec causal_layer() {
  LayerSpec layer = direct_layer({2, kAll, 6}, {2, kAll, 6}, 5);
  layer.masks = {{CausalRule()}};
  return layer;
}

std::vector<Position> by_place() {
  std::vector<Position> all{
      Alibi(), Relative{.clip = 3, .seed = 2, .values = true}, T5Bias{.buckets = 8, .max_distance = 9},
      T5Bias{.buckets = 8, .max_distance = 9, .causal = true}, Rotary{.pairing = Pairing::half, .part = 4}};
  for (const auto& word : position_field::stretch.words)
    all.push_back(Rotary{.stretch = word.choice, .factor = 4, .trained = 8});
  return all;
}

const std::vector<MaskTerm> kRules{{WindowRule{2}},    {StridedRule{3}},      {RandomRule{3, 7}, true},
                                   {RandomRule{4, 7}}, {PrefixRule{2}, true}, {BlocksRule{{4, 5}}},
                                   {PaddingRule{{9}}}, {WindowRule{1}, true}};

}  // namespace

TEST_CASE("the last queries asked alone over the whole cache get what they got in the layer") {
  LayerSpec layer = causal_layer();
  check_alone(layer);
  for (const Position& position : by_place())
    for (const std::size_t shift : {0u, 40u}) {
      INFO(position_text(position).word, " from ", shift);
      layer.position = position, layer.first_position = shift;
      check_alone(layer);
    }
}

TEST_CASE("every rule of a mask takes queries over a cache for the places where they stand") {
  for (const MaskTerm& rule : kRules) {
    INFO(name(rule.rule), rule.negated ? " negated" : "");
    LayerSpec layer = causal_layer();
    layer.masks.push_back(rule);
    check_alone(layer);
    layer.masks.push_back({GlobalRule{{1, kAll - 1}}});
    check_alone(layer);
  }
  LayerSpec layer = causal_layer();
  layer.local = Local::monotonic, layer.local_reach = 2;
  check_alone(layer);
}

TEST_CASE("encodings added to queries over a memory begin behind the cache") {
  for (const Position& position : {Position(Sinusoidal()), Position(Learned{.seed = 3})}) {
    LayerSpec layer;
    Random random(8);
    layer.x = normal(random, {1, kAll, 6}), layer.memory = normal(random, {1, kAll, 6});
    for (Tensor* w : {&layer.w_q, &layer.w_k, &layer.w_v}) *w = normal(random, {1, 6, 6});
    layer.position = position, layer.masks = {{CausalRule()}};
    check_alone(layer);
  }
}

TEST_CASE("what is added to a token that is query and key does not move with the offset") {
  LayerSpec layer;
  Random random(9);
  layer.x = normal(random, {1, 5, 6});
  for (Tensor* w : {&layer.w_q, &layer.w_k, &layer.w_v}) *w = normal(random, {1, 6, 6});
  const auto moved = [&](const Position& position) {
    layer.position = position;
    layer.masks = {{CausalRule()}};
    const Tensor64 scores = stage_of(layer, "scores");
    set_rule<CausalRule>(layer, CausalRule{CausalAlign::lower_right, 2});
    return !(stage_of(layer, "scores") == scores);
  };
  CHECK_FALSE(moved(Sinusoidal()));
  CHECK(moved(Rotary()));
  const Tensor64 mask = stage_of(layer, "mask");
  CHECK(mask[{0, 0, 2}] == 0);
  CHECK(mask[{0, 0, 3}] == 1);
}

TEST_CASE("more queries than keys stand before the first key") {
  CHECK(first_place({{CausalRule()}}, 5, 3) == -2);
  CHECK(first_place({{CausalRule{CausalAlign::top_left, 4}}}, 5, 3) == 4);
  CHECK(first_place({{WindowRule{2}}, {CausalRule{CausalAlign::lower_right, 1}}}, 3, 5) == 3);
  CHECK(first_place({{WindowRule{2}}}, 3, 5) == 0);
  // The last query stands where the last key does: a window of nothing leaves it that one.
  LayerSpec layer = direct_layer({1, 5, 4}, {1, 3, 4}, 2);
  layer.masks = {{CausalRule()}, {WindowRule{0}}};
  layer.position = Alibi();
  const Tensor64 mask = stage_of(layer, "mask"), bias = stage_of(layer, "bias");
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      CHECK(mask[{0, i, j}] == (i == j + 2 ? 0 : 1));
      CHECK(bias[{0, i, j}] == -std::abs(static_cast<double>(i) - 2 - static_cast<double>(j)) / 256);
    }
}

TEST_CASE("numbers over a cache are explained by their places") {
  LayerSpec layer = asked_alone(causal_layer())[0];
  layer.masks.push_back({WindowRule{2}});
  layer.position = Relative{.clip = 2, .values = true};
  Budget budget;
  const auto backend = make_reference_backend();
  const Results results = Evaluator(*backend, budget).evaluate({{layer}}, build_graph(layer));
  for (const char* id : {"mask", "bias", "relative_weights"}) {
    const StageIndex stage = results.graph.find(id).value();
    const Tensor& numbers = results.outputs[stage].whole();
    for (std::size_t row = 0; row < kLast; ++row)
      for (std::size_t column = 0; column < numbers.columns(); ++column)
        CHECK(explain(results, stage, {0, row, column}).result ==
              doctest::Approx(numbers[{0, row, column}]).epsilon(1e-6));
  }
  const Explanation e = explain(results, results.graph.find("mask").value(), {0, 0, 1});
  CHECK(e.terms[1].operands[0].text == "window: |place 8 − key 1| = 7 > 2");
}
