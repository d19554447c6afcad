// Two layers compared: equal ones, planted differences, what they share, sessions and names of
// steps.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/compare/edit.h"
#include "core/compare/figures.h"
#include "core/document/document_fields.h"
#include "core/document/history.h"
#include "core/io/session.h"
#include "core/system/error.h"
#include "core/tensor/random.h"
#include "tests/layers.h"
#include "tests/random_layer.h"

using namespace attn;
using namespace attn::tests;

namespace {

Document causal_two_heads() {
  Document document;
  LayerSpec& layer = document.layer();
  layer.x = drawn({1, 5, 6}, 1);
  layer.heads = layer.kv_heads = 2;
  layer.w_q = drawn({1, 6, 8}, 2), layer.w_k = drawn({1, 6, 8}, 3), layer.w_v = drawn({1, 6, 6}, 4);
  layer.w_o = drawn({1, 6, 6}, 5);
  set_causal(layer, CausalAlign::lower_right);
  return document;
}

Document with_b(const std::function<void(LayerSpec&)>& edit) {
  Document document = causal_two_heads();
  TypedLayer b = typed_layer(document);
  edit(b.layer);
  put_layer(document, b, kLayerB);
  return document;
}

// The id of the first stage that differs, in A where it has it; "" of equal layers.
std::string first_difference(const Document& document) {
  const Results results = evaluated(document, kComparePlan);
  const CompareFigures figures = compare_figures(results);
  if (!figures.first) return "";
  const ComparedStage& row = figures.stages[*figures.first];
  return results.graph.stages[row.either()].id;
}

}  // namespace

TEST_CASE("a layer compared with itself differs by exactly 0 at every stage") {
  Document typed_over = causal_two_heads();
  typed_over.overrides = {typed("weights", {1, 2, 0}, 0.9f)};
  for (Document document : {causal_two_heads(), typed_over}) {
    copy_a(document);
    const Results results = evaluated(document, kComparePlan);
    const CompareFigures figures = compare_figures(results);
    CHECK_FALSE(figures.first);
    std::size_t compared = 0;
    for (const ComparedStage& row : figures.stages) {
      REQUIRE(row.difference);
      for (const float value : results.outputs[*row.difference].whole().values()) CHECK(value == 0);
      ++compared;
    }
    CHECK(compared > 6);
    CHECK(figures.output_distance == 0);
    CHECK(figures.same_strongest == figures.rows);
  }
}

TEST_CASE("a planted difference is found at the first stage that it changes") {
  using Edit = std::function<void(LayerSpec&)>;
  const std::vector<std::pair<Edit, std::string>> planted{
      {[](LayerSpec& l) {
         l.x = drawn({1, 5, 6}, 9);
       },
       "x"},
      {[](LayerSpec& l) {
         l.w_k = drawn({1, 6, 8}, 9);
       },
       "k"},
      {[](LayerSpec& l) {
         l.w_v = drawn({1, 6, 6}, 9);
       },
       "v"},
      {[](LayerSpec& l) {
         l.w_o = drawn({1, 6, 6}, 9);
       },
       "output"},
      {[](LayerSpec& l) { l.scoring = Scoring::gaussian; }, "b.distances"},
      {[](LayerSpec& l) { l.scale.mode = ScaleMode::none; }, "scaled"},
      {[](LayerSpec& l) { l.temperature = 3; }, "scaled"},
      {[](LayerSpec& l) { l.soft_cap = 2; }, "b.capped"},
      {[](LayerSpec& l) { l.muted_heads = {1}; }, "concat"},
      {[](LayerSpec& l) { l.dropout = 0.5; }, "b.dropped"},
      {[](LayerSpec& l) { set_causal(l, std::nullopt); }, "mask"},
      {[](LayerSpec& l) { l.masks[0].negated = true; }, "mask"},
      {[](LayerSpec& l) { l.fill = Fill::minus_1e9; }, "masked"},
      {[](LayerSpec& l) { l.weighting = Weighting::sparsemax; }, "b.shifted"},
      {[](LayerSpec& l) { l.weighting = Weighting::sigmoid; }, "b.keys_left"},
      {[](LayerSpec& l) { l.position = Sinusoidal(); }, "b.position"},
      {[](LayerSpec& l) { l.heads = l.kv_heads = 1; }, "q"},
      {[](LayerSpec& l) { l.precision = NumberFormat::float16; }, "x"}};
  for (const auto& [edit, stage] : planted) {
    INFO(stage);
    CHECK(first_difference(with_b(edit)) == stage);
  }
}

TEST_CASE("entropy and strongest keys of two layers are those counted by hand") {
  Document document;
  LayerSpec& layer = document.layer();
  layer.direct = true;
  layer.q = {{1, 2, 1}, {1, 1}}, layer.k = {{1, 2, 1}, {0, 0}}, layer.v = {{1, 2, 1}, {3, 5}};
  TypedLayer b = typed_layer(document);
  b.layer.k = {{1, 2, 1}, {0, std::log(3.0f)}};  // weights 1/4 and 3/4 in place of 1/2 and 1/2
  put_layer(document, b, kLayerB);
  const CompareFigures figures = compare_figures(evaluated(document, kComparePlan));
  CHECK(figures.entropy_a == doctest::Approx(std::log(2.0)));
  CHECK(figures.entropy_b == doctest::Approx(0.25 * std::log(4.0) + 0.75 * std::log(4.0 / 3)).epsilon(1e-6));
  CHECK(figures.rows == 2);
  CHECK(figures.same_strongest == 0);
  REQUIRE(figures.weights);
  CHECK(figures.differences[*figures.weights]->largest == doctest::Approx(0.25).epsilon(1e-6));
  CHECK(figures.differences[*figures.weights]->mean == doctest::Approx(0.25).epsilon(1e-6));
  // 4 becomes 4.5 in both rows.
  CHECK(figures.output_distance == doctest::Approx(0.125).epsilon(1e-6));
}

TEST_CASE("what two layers share follows A and what they differ in stays") {
  const Document before = with_b([](LayerSpec& l) { l.temperature = 3; });
  Document after = before;
  after.layer().w_k = drawn({1, 6, 8}, 20), after.layer().temperature = 2, after.layer().soft_cap = 5;
  follow(before, after);
  CHECK(after.layer(kLayerB).w_k == after.layer().w_k);
  CHECK(after.layer(kLayerB).soft_cap == 5);
  CHECK(after.layer(kLayerB).temperature == 3);
}

TEST_CASE("an edit of the compared layer changes it alone") {
  const Document before = with_b([](LayerSpec&) {});
  Document after = before;
  after.layer(kLayerB).temperature = 4;
  follow(before, after);
  CHECK(after.layer(kLayerB).temperature == 4);
  CHECK(after.layer() == before.layer());
}

TEST_CASE("an edit of a compared layer takes along what was typed over it and nothing else") {
  Document document = with_b([](LayerSpec& l) { l.temperature = 3; });
  const CellValue number{{0, 4, 1}, 7.0f};
  for (const Address at : {kLayerA, kLayerB})
    document.overrides.push_back({"pipeline", "scores", number, at});
  const Document before = document;
  move_token({document, kLayerB}, 4, 0);
  CHECK(document.layer(kLayerB).x[{0, 0, 0}] == before.layer().x[{0, 4, 0}]);
  CHECK(document.layer() == before.layer());
  CHECK(typed_layer(document) == typed_layer(before));
  REQUIRE(typed_layer(document, kLayerB).typed.size() == 1);
  CHECK(typed_layer(document, kLayerB).typed[0].value == CellValue{{0, 0, 2}, 7.0f});
  set_token_count({document, kLayerB}, 2);
  CHECK(overrides_of(document, kLayerPlan, kLayerB).size() == 0);
  CHECK(overrides_of(document, kLayerPlan).size() == 1);
}

TEST_CASE("matrices that fit no more give way and the choices stay") {
  const Document before = with_b([](LayerSpec& l) { l.w_q = drawn({1, 6, 8}, 30), l.temperature = 3; });
  Document after = before;
  LayerSpec& a = after.layer();
  a.x = drawn({1, 5, 4}, 1), a.w_q = drawn({1, 4, 8}, 2), a.w_k = drawn({1, 4, 8}, 3);
  a.w_v = drawn({1, 4, 6}, 4);
  follow(before, after);
  CHECK(after.layer(kLayerB).w_q == a.w_q);
  CHECK(after.layer(kLayerB).temperature == 3);
  build_compare(after);
}

TEST_CASE("swapped twice two layers stand as before with what was typed over them") {
  Document document = with_b([](LayerSpec& l) { l.temperature = 3; });
  document.overrides = {typed("weights", {0, 1, 0}, 0.5f)};
  document.overrides.push_back({"pipeline", "scores", {{0, 1, 1}, 7.0f}, kLayerB});
  const TypedLayer a = typed_layer(document), b = typed_layer(document, kLayerB);
  swap_with_a(document);
  CHECK(typed_layer(document) == b);
  CHECK(typed_layer(document, kLayerB) == a);
  swap_with_a(document);
  CHECK(typed_layer(document) == a);
  CHECK(typed_layer(document, kLayerB) == b);
}

TEST_CASE("a number typed over one of a layer that is not shown stays until it is shown again") {
  Document document = with_b([](LayerSpec&) {});
  set_number(document, kComparePlan, "b.scores", {0, 1, 1}, 7);
  add_layer(document);
  REQUIRE(document.compare.shown == 1);
  settle_overrides(document, kLayerPlan, kLayerB);
  CHECK(typed_layer(document, kLayerB).typed.size() == 1);
  remove_layer(document);
  const Results results = evaluated(document, kComparePlan);
  CHECK(results.output("b.scores")[{0, 1, 1}] == 7.0f);
  remove_layer(document);
  CHECK(document == causal_two_heads());
}

TEST_CASE("four layers are compared at most") {
  Document document = causal_two_heads();
  for (int i = 0; i < 2; ++i) add_layer(document);
  CHECK(document.layers.size() == kAddresses.size());
  CHECK_THROWS_AS(add_layer(document), Error);
}

TEST_CASE("a session holds of a compared layer what differs and brings back both") {
  Document document = with_b([](LayerSpec& l) {
    l.temperature = 3, l.scale = {ScaleMode::number, 2}, l.w_o = {}, l.masks.clear();
    l.position = Sinusoidal();
  });
  document.layer().scale = {ScaleMode::number, 4};
  document.layer().tokens = {"a", "b", "c", "d", "e"};
  const std::string text = write_session(document), alone = write_session(causal_two_heads());
  CHECK(parse_session(text) == document);
  CHECK(text.size() < alone.size() + 800);
  add_layer(document);
  CHECK(parse_session(write_session(document)) == document);
}

TEST_CASE("a session without compared layers says nothing of them") {
  CHECK(write_session(causal_two_heads()).find("\"b\"") == std::string::npos);
}

TEST_CASE("steps of a compared layer are named with its letter") {
  const Document a = causal_two_heads();
  const Document first = with_b([](LayerSpec& l) { l.temperature = 2; });
  CHECK(describe(a, first) == "B: temperature 2");
  Document second = first;
  second.layer(kLayerB).temperature = 5;
  CHECK(describe(first, second) == "B: temperature 5");
  CHECK(describe(a, with_b([](LayerSpec&) {})) == "B: causal mask, lower-right");
}

TEST_CASE("a stage that the reference computes is neither computed nor remembered by the device") {
  // Counts what it is asked for and computes nothing right.
  struct Wrong : Backend {
    std::size_t asked = 0;
    std::string name() const override { return "wrong"; }
    Tensor run(const Operation& operation, Inputs inputs, Numbers) override {
      ++asked;
      std::vector<Shape> shapes;
      for (const Tensor& input : inputs) shapes.push_back(input.shape());
      const Shape shape = result_shape(operation, shapes);
      return {shape, std::vector<float>(shape.size(), 0.25f)};
    }
  };
  Graph graph;
  const StageIndex x =
      graph.add({.id = "x", .title = "x", .formula = "", .operation = Source{drawn({1, 2, 2}, 1)}});
  Stage stage{.id = "device", .title = "e", .formula = "", .operation = Exponential{}, .inputs = {x}};
  graph.add(stage);
  stage.id = "reference", stage.by_reference = true;
  graph.add(stage);
  Wrong backend;
  Budget budget;
  Evaluator evaluator(backend, budget);
  for (int i = 0; i < 2; ++i) {
    const Results results = evaluator.evaluate({}, graph);
    CHECK(backend.asked == 1);
    CHECK(results.output("device")[{0, 0, 0}] == 0.25f);
    CHECK(static_cast<double>(results.output("reference")[{0, 0, 0}]) ==
          doctest::Approx(std::exp(static_cast<double>(results.output("x")[{0, 0, 0}]))));
  }
}
