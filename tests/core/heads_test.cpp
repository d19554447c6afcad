// The workspace of heads: what it adds to the layer's graph, and heads that share keys and values.
#include <doctest/doctest.h>

#include <cmath>

#include "core/attention/heads.h"
#include "core/checks/array_difference.h"
#include "core/document/document_fields.h"
#include "core/document/edit.h"
#include "core/evaluate/run.h"
#include "core/heads/groups.h"
#include "core/heads/plan.h"
#include "core/system/error.h"
#include "core/tensor/random.h"
#include "tests/layers.h"
#include "tests/random_layer.h"

using namespace attn;
using namespace attn::tests;

namespace {

Document projected() {
  Document document;
  LayerSpec& layer = document.layer();
  layer.x = drawn({1, 5, 6}, 1);
  layer.heads = layer.kv_heads = 4;
  layer.w_q = drawn({1, 6, 8}, 2), layer.w_k = drawn({1, 6, 8}, 3), layer.w_v = drawn({1, 6, 12}, 4);
  layer.w_o = drawn({1, 12, 6}, 5), layer.b_k = drawn({1, 1, 8}, 6), layer.b_v = drawn({1, 1, 12}, 7);
  return document;
}

Document direct() {
  Document document;
  LayerSpec& layer = document.layer();
  layer.direct = true;
  layer.q = drawn({4, 5, 3}, 1), layer.k = drawn({4, 5, 3}, 2), layer.v = drawn({4, 5, 2}, 3);
  return document;
}

std::vector<Tensor64> run(const Document& document) {
  return evaluate_in_double(build_heads(document).graph);
}

// How far each row of two outputs is from the other's.
std::vector<double> distances(const Tensor64& a, const Tensor64& b) {
  std::vector<double> rows;
  for (std::size_t i = 0; i < a.rows(); ++i) {
    double squares = 0;
    for (std::size_t c = 0; c < a.columns(); ++c) squares += std::pow(a[{0, i, c}] - b[{0, i, c}], 2);
    rows.push_back(std::sqrt(squares));
  }
  return rows;
}

}  // namespace

TEST_CASE("what a head adds is how far the output moves when it is switched off") {
  for (const Document& document : {projected(), direct()}) {
    const HeadsPlaces l = places_in<HeadsPlaces>(build_heads(document));
    const auto outputs = run(document);
    for (std::size_t head = 0; head < 4; ++head) {
      Document muted = document;
      muted.layer().muted_heads = {head};
      const auto moved = distances(outputs[l.output], run(muted)[l.output]);
      for (std::size_t i = 0; i < moved.size(); ++i)
        CHECK(outputs[l.parts][{head, i, 0}] == doctest::Approx(moved[i]).epsilon(1e-9));
    }
  }
}

TEST_CASE("the layer in the workspace of heads has the numbers of the Pipeline with what was typed there") {
  Document document = projected();
  document.overrides = {typed("weights", {2, 1, 3}, 0.9f)};
  const Graph heads = build_heads(document).graph, pipeline = build_layer(document).graph;
  const auto ours = evaluate_in_double(heads), theirs = evaluate_in_double(pipeline);
  for (StageIndex i = 0; i < pipeline.stages.size(); ++i) {
    const auto there = heads.find(pipeline.stages[i].id);
    REQUIRE(there);
    CHECK(ours[*there] == theirs[i]);
  }
}

TEST_CASE("chance is what equal weights on visible keys give") {
  Document document = projected();
  set_causal(document.layer(), CausalAlign::lower_right);
  const HeadsPlaces l = places_in<HeadsPlaces>(build_heads(document));
  const auto outputs = run(document);
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(outputs[*l.chance][{0, i, 1}] == doctest::Approx(1.0 / static_cast<double>(i + 1)));
    CHECK(outputs[*l.most_entropy][{0, i, 0}] == doctest::Approx(std::log(static_cast<double>(i + 1))));
  }
}

TEST_CASE("a layer whose heads share keys already is not moved by averaging them") {
  // Two key/value heads, written as four of which pairs are equal.
  Document shared = direct();
  shared.layer().k = drawn({2, 5, 3}, 8), shared.layer().v = drawn({2, 5, 2}, 9);
  Document full = shared;
  const auto twice = [](const Tensor& t) {
    std::vector<float> values;
    const std::size_t size = t.rows() * t.columns();
    for (std::size_t r = 0; r < 4; ++r)
      for (std::size_t i = 0; i < size; ++i) values.push_back(t.values()[r / 2 * size + i]);
    return Tensor({4, t.rows(), t.columns()}, std::move(values));
  };
  full.layer().k = twice(shared.layer().k), full.layer().v = twice(shared.layer().v);
  CHECK(grouped(full.layer(), 2).k == shared.layer().k);
  CHECK(grouped(full.layer(), 2).v == shared.layer().v);
  const std::vector<DeferredGraph> pieces = deferred_heads(full, {});
  REQUIRE(pieces.size() == 3);
  std::vector<Tensor> outputs;
  for (const DeferredGraph& piece : pieces)
    outputs.push_back(to_float(evaluate_in_double(piece.graph()).back()));
  CHECK(relative_distance(outputs[1].values(), outputs[0].values()) == 0);
  CHECK(relative_distance(outputs[2].values(), outputs[0].values()) > 0.01);
}

TEST_CASE("shared keys of projections are the mean of the projected ones") {
  const Document document = projected();
  const auto own = evaluate_in_double(build_graph(document.layer()));
  const LayerSpec shared = grouped(document.layer(), 1);
  const Graph graph = build_graph(shared), before = build_graph(document.layer());
  const Tensor64 k = evaluate_in_double(graph)[*graph.find(Role::key)], all = own[*before.find(Role::key)];
  REQUIRE(k.stack() == 1);
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t c = 0; c < 2; ++c) {
      double sum = 0;
      for (std::size_t r = 0; r < 4; ++r) sum += all[{r, i, c}];
      CHECK(k[{0, i, c}] == doctest::Approx(sum / 4).epsilon(1e-6));
    }
}

TEST_CASE("fewer key/value heads have fewer parameters and a smaller cache") {
  const LayerSpec layer = projected().layer();
  CHECK(layer_parameters(layer, 4) == 6 * 8 + 6 * 8 + 8 + 6 * 12 + 12 + 12 * 6);
  CHECK(layer_parameters(layer, 1) == 6 * 8 + 6 * 2 + 2 + 6 * 3 + 3 + 12 * 6);
  CHECK(layer_parameters(grouped(layer, 1), 1) == layer_parameters(layer, 1));
  CHECK(cache_bytes(layer, 4) == 4 * 4 * (2 + 3));
  CHECK(cache_bytes(layer, 2) == 4 * 2 * (2 + 3));
  CHECK(layer_parameters(direct().layer(), 4) == 0);
}

TEST_CASE("groups that do not divide the heads are refused with what would do") {
  CHECK_THROWS_WITH_AS(grouped(projected().layer(), 3), doctest::Contains("use 2 or 4"), Error);
}

TEST_CASE("taking groups is an edit of the layer and of nothing else that is shown") {
  Document document = projected();
  document.heads.kv_heads = 2;
  use_grouped(document, 2);
  CHECK(document.layer().kv_heads == 2);
  CHECK(document.layer().w_k.columns() == 4);
  CHECK(document.heads.kv_heads == 0);
  build_heads(document);
}

TEST_CASE("a head owns columns of its projections and of those of keys that it shares") {
  Document document = projected();
  use_grouped(document, 2);
  const Graph graph = kLayerPlan.build(document, kLayerA).graph;
  const auto columns = [&](const char* stage, std::size_t head) {
    const auto found = columns_of_head(graph, *graph.find(stage), head);
    return found ? std::pair(found->begin, found->end) : std::pair<std::size_t, std::size_t>();
  };
  CHECK(columns("w_q", 3) == std::pair<std::size_t, std::size_t>(6, 8));
  CHECK(columns("w_k", 1) == std::pair<std::size_t, std::size_t>(0, 2));
  CHECK(columns("w_k", 3) == std::pair<std::size_t, std::size_t>(2, 4));
  CHECK(columns("b_v", 2) == std::pair<std::size_t, std::size_t>(3, 6));
  CHECK_FALSE(columns_of_head(graph, *graph.find("w_o"), 0));
  CHECK_FALSE(columns_of_head(graph, *graph.find("x"), 0));
  CHECK_FALSE(columns_of_head(graph, *graph.find("w_q"), 4));
}

TEST_CASE("a number typed over the layer is of the Pipeline and one over the heads their own") {
  Document document = projected();
  set_number(document, kHeadsPlan, "weights", {2, 1, 3}, 0.9f);
  set_number(document, kHeadsPlan, "likeness", {0, 1, 3}, 0.5f);
  REQUIRE(document.overrides.size() == 2);
  CHECK(document.overrides[0].workspace == kLayerPlan.name);
  CHECK(document.overrides[1].workspace == kHeadsPlan.name);
  CHECK(overrides_of(document, kLayerPlan).size() == 1);
  CHECK(overrides_of(document, kHeadsPlan).size() == 2);
  CHECK(is_overridden(document, kHeadsPlan, "weights", {2, 1, 3}));
  remove_override(document, kHeadsPlan, "weights", {2, 1, 3});
  CHECK(document.overrides.size() == 1);
}
