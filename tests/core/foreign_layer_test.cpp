// Numbers of another program compared with a layer: they stand over its stages, and none of them is passed
// over.
#include <doctest/doctest.h>

#include "core/compare/figures.h"
#include "core/compare/graph.h"
#include "core/evaluate/evaluator.h"
#include "core/io/foreign_layer.h"
#include "core/io/stages_npz.h"
#include "core/system/error.h"
#include "tests/core/direct_layers.h"

using namespace attn;
using namespace attn::tests;

namespace {

Results run_plan(const Document& document, const Plan& plan) {
  Budget budget;
  const auto backend = make_reference_backend();
  return Evaluator(*backend, budget).evaluate(document, plan.build(document, kLayerA));
}

NamedArrays as_results(const LayerSpec& layer) {
  return parse_npz<float>(stages_npz(run_plan({.layers = {layer}}, kLayerPlan)));
}

Array as_array(const Tensor& t) {
  Array array{{t.rows(), t.columns()}, {t.values().begin(), t.values().end()}};
  if (t.stack() > 1) array.shape.insert(array.shape.begin(), t.stack());
  return array;
}

// The first stage at which theirs differ from the layer; empty: none does.
std::string first_apart(const LayerSpec& a, const NamedArrays& arrays) {
  Document document{.layers = {a}};
  put_layer(document, typed_layer(foreign_layer(a, arrays)), kLayerB);
  const Results results = run_plan(document, kComparePlan);
  const CompareFigures figures = compare_figures(results);
  return figures.first ? results.graph.stages[figures.stages[*figures.first].either()].id : "";
}

LayerSpec causal_heads() {
  LayerSpec layer = direct_layer({2, 4, 3}, {2, 4, 3}, 4);
  layer.masks = {{CausalRule()}};
  layer.temperature = 2;
  return layer;
}

LayerSpec three_heads() {
  Random random(6);
  LayerSpec layer;
  layer.x = normal(random, {1, 4, 6});
  for (Tensor* w : {&layer.w_q, &layer.w_k, &layer.w_v}) *w = normal(random, {1, 6, 6});
  layer.heads = layer.kv_heads = 3;
  layer.masks = {{CausalRule()}};
  return layer;
}

std::string foreign_refusal(const LayerSpec& a, const NamedArrays& arrays) {
  try {
    foreign_layer(a, arrays);
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE(
    "results compared with their own layer are equal at every stage and a wrong number is found where it "
    "stands") {
  for (const LayerSpec& layer : {causal_heads(), three_heads()}) {
    NamedArrays arrays = as_results(layer);
    arrays.erase("mask");
    CHECK(first_apart(layer, arrays) == "");
    for (const char* stage : {"scores", "masked", "weights", "output"}) {
      NamedArrays wrong = arrays;
      wrong.at(stage).values.back() += 0.125f;
      CHECK(first_apart(layer, wrong) == stage);
    }
    // Behind a wrong number of their own stage the layer goes on with theirs.
    const float last = arrays.at("weights").values.back();
    CHECK(first_apart(layer, {{"weights", {arrays.at("weights").shape, arrays.at("weights").values}}}) == "");
    NamedArrays alone{{"weights", arrays.at("weights")}};
    alone.at("weights").values.back() = last + 0.5f;
    CHECK(first_apart(layer, alone) == "weights");
  }
}

TEST_CASE("a file with its own layer and results takes the choices that arrays do not say") {
  const LayerSpec a = three_heads();
  NamedArrays arrays = as_results(a);
  arrays.erase("mask");
  arrays["w_q"] = as_array(a.w_q), arrays["w_k"] = as_array(a.w_k), arrays["w_v"] = as_array(a.w_v);
  CHECK(first_apart(a, arrays) == "");
  const Document compared = foreign_layer(a, arrays);
  CHECK(compared.layer().heads == 3);
  CHECK(compared.layer().masks == a.masks);
  CHECK(compared.layer() == a);
  CHECK(compared.overrides.size() > 3 * 4 * 4);
  // Without results it is a layer like any other.
  NamedArrays layer{
      {"x", arrays.at("x")}, {"w_q", arrays.at("w_q")}, {"w_k", arrays.at("w_k")}, {"w_v", arrays.at("w_v")}};
  layer.at("w_q").values[0] += 1;
  CHECK(first_apart(a, layer) == "q");
  CHECK(foreign_layer(a, layer).overrides.empty());
}

TEST_CASE("results with q, k and v that the layer cannot have projected are of a layer of their own") {
  LayerSpec own = direct_layer({2, 5, 4}, {2, 5, 4}, 4);
  NamedArrays arrays = as_results(own);
  LayerSpec a = three_heads();
  a.masks.clear();
  const Document compared = foreign_layer(a, arrays);
  CHECK(compared.layer().direct);
  CHECK(compared.layer().q.shape() == Shape{2, 5, 4});
  CHECK(first_apart(own, arrays) == "");
  // Those that it may have projected are held against what it projects.
  CHECK(foreign_layer(a, as_results(a)).layer() == a);
}

TEST_CASE("choices that do not fit the matrices of a file are not taken") {
  const LayerSpec a = three_heads(), own = direct_layer({1, 2, 5}, {1, 3, 5}, 3);
  const Document compared =
      foreign_layer(a, {{"q", as_array(own.q)}, {"k", as_array(own.k)}, {"v", as_array(own.v)}});
  CHECK(compared.layer().direct);
  CHECK(compared.layer().q.shape() == own.q.shape());
  CHECK(compared.layer().masks == a.masks);
}

TEST_CASE("an array that is no stage or has another shape is refused by name") {
  const LayerSpec a = causal_heads();
  const NamedArrays arrays = as_results(a);
  NamedArrays misspelt = arrays;
  misspelt["wieghts"] = misspelt.at("weights");
  CHECK(
      contains(foreign_refusal(a, misspelt), "\"wieghts\" is no stage of the layer: did you mean weights?"));
  NamedArrays turned = arrays;
  turned.at("weights").shape = {2, 16, 1};
  CHECK(contains(foreign_refusal(a, turned), "the array weights is 2×16×1, but the layer has 2×4×4"));
  // Heads whose own masks the layer has no room for.
  NamedArrays apart = as_results(three_heads());
  for (float& number : apart.at("mask").values) number = 0;
  CHECK(first_apart(three_heads(), apart) == "mask");
  apart.at("mask").values[2 * 16 - 1] = 1;
  CHECK(contains(foreign_refusal(three_heads(), apart),
                 "the array mask: head 1 differs from a head that shares its matrix in the layer"));
  CHECK(foreign_refusal(a, {}).empty());
}
