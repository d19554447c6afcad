// A stack as part of a document: its numbers, what is typed over computed ones, what is made where there is
// none, its limits and its share of history.
#include <doctest/doctest.h>

#include "core/document/edit.h"
#include "core/document/history.h"
#include "core/document/layer_plan.h"
#include "core/document/limits.h"
#include "core/document/stack_edit.h"
#include "core/document/stack_plan.h"
#include "core/transformer/made.h"
#include "tests/core/stack_documents.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("numbers of a stack are edited in the document, which gets a stack of its own first") {
  for (Document document : {over_a(), dates()}) {
    const StackSpec shown = shown_stack(document);
    for (const char* id :
         {"encoder.1.w_k", "encoder.1.linear2.weight", "encoder.3.norm2.weight", "encoder.norm.bias"})
      set_number(document, kStackPlan, id, {0, 0, 3}, 0.125f);
    CHECK(document.overrides.empty());
    const StackBlock& block = document.transformer.encoder.blocks[1];
    CHECK(block.attention.w_k == with_value(shown.encoder.blocks[1].attention.w_k, {0, 0, 3}, 0.125f));
    CHECK(block.outer.w == with_value(shown.encoder.blocks[1].outer.w, {0, 0, 3}, 0.125f));
    CHECK(document.transformer.encoder.blocks[3].norms[1].gain[{0, 0, 3}] == 0.125f);
    CHECK(document.transformer.encoder.norm.bias[{0, 0, 3}] == 0.125f);
    CHECK(block.attention.w_q == shown.encoder.blocks[1].attention.w_q);
  }
  Document document = over_a();
  set_number(document, kStackPlan, "encoder.input", {0, 4, 7}, 2);
  CHECK(document.transformer.encoder.x[{0, 4, 7}] == 2);
  CHECK(document.layer() == over_a().layer());
  CHECK(stack_edit_refusal(over_a(), [](Document& d) {
          set_number(d, kStackPlan, "encoder.input", {0, 5, 0}, 2);
        }).find("lies outside") != std::string::npos);
}

TEST_CASE("what is typed over a computed number of a stack is computed on from, until its stage goes") {
  Document document = dates();
  set_number(document, kStackPlan, "encoder.2.weights", {1, 2, 3}, 0.5f);
  set_number(document, kStackPlan, "decoder.3.stream", {0, 1, 2}, 4);
  document.overrides.push_back({"pipeline", "scores", {{0, 1, 2}, 7}, {0, LayerHome::cross}});
  const Graph graph = build_stack(document).graph;
  for (const char* id :
       {"encoder.2.weights_computed", "decoder.3.stream_computed", "decoder.0.cross_scores_computed"})
    CHECK_MESSAGE(graph.find(id), id);
  settle_overrides(document, kStackPlan);
  CHECK(document.overrides.size() == 3);
  switch_stack_box(document, true, 0, StackBox::cross);
  settle_overrides(document, kStackPlan);
  CHECK(document.overrides.size() == 2);
  set_stack_layers(document, 3);
  settle_overrides(document, kStackPlan);
  REQUIRE(document.overrides.size() == 1);
  CHECK(document.overrides[0].stage == "encoder.2.weights");
}

TEST_CASE("what is edited where the Pipeline shows an attention of the stack is the stack's") {
  Document document = dates();
  Random random(6);
  constexpr Address kThird{2, LayerHome::encoder};
  LayerSpec shown = document.layer(kThird);
  shown.x = normal(random, {1, 11, 32});  // what the stack gives it
  Graph graph;
  append_layer(graph, shown, {.address = kThird});
  const std::vector<CellValue> cells{{{0, 1, 2}, 0.5f}};
  set_numbers(document, kLayerPlan, graph, "weights", cells);
  CHECK(document.overrides == std::vector<StageOverride>{{"pipeline", "weights", cells[0], kThird}});
  CHECK(build_stack(document).graph.find("encoder.2.weights_computed"));
  set_numbers(document, kLayerPlan, graph, "w_v", cells);
  CHECK(document.layer(kThird).w_v == with_value(shown.w_v, {0, 1, 2}, 0.5f));
  CHECK(document.layer() == over_a().layer());
  CHECK(describe(dates(), document) == "encoder, layer 2, attention: w_v[1, 2] = 0.5");
}

TEST_CASE("a stack is made over the layers that there are: given ones, wide ones and long ones") {
  Random random(5);
  Document direct = direct_document(3, 4);
  CHECK(width_of(shown_stack(direct)) == 32);
  CHECK(token_count(shown_stack(direct).encoder) == 3);
  CHECK_NOTHROW(build_stack(direct));
  Document wide = over_a();
  wide.layer().x = normal(random, {1, 5, 129});
  CHECK(width_of(shown_stack(wide)) == 32);
  CHECK(shown_stack(wide).encoder.tokens == wide.layer().tokens);
  CHECK_NOTHROW(build_stack(wide));
  Document full = over_a();
  full.layer().x = normal(random, {1, 200, 128});
  full.layer().tokens.assign(200, "t");
  CHECK(shown_stack(full).encoder.x.shape() == Shape{1, 128, 128});
  CHECK(shown_stack(full).encoder.tokens.size() == 128);
  CHECK_NOTHROW(build_stack(full));
  Document causal = over_a();
  set_rule(causal.layer(), std::optional(CausalRule{}));
  causal.layer().position = Rotary{};
  causal.layer().first_position = 5;
  const StackSpec stack = shown_stack(causal);
  CHECK(std::ranges::all_of(stack.encoder.blocks, [](const StackBlock& b) {
    return find_rule<CausalRule>(b.attention) != nullptr;
  }));
  CHECK(stack.encoder.first_position == 5);
  CHECK(stack.position == Position(Rotary{}));
  CHECK_NOTHROW(build_stack(causal));
  Document odd = over_a();  // a head of RoPE needs pairs
  odd.layer().x = normal(random, {1, 5, 6});
  odd.layer().position = Rotary{};
  CHECK_NOTHROW(build_stack(odd));
}

TEST_CASE("a drawn stack of 12 layers of 768 features is within the limits, and one of 20 is not") {
  Document document = over_a();
  StackSpec& stack = own_stack(document);
  stack.encoder.x = Tensor({1, 1, 768}, std::vector<float>(768, 1));
  CHECK(parameter_count(stack, {12, 12, 3072}) <= limits::kMostNumbers);
  CHECK_THROWS_AS(made_stack(stack, {20, 12, 3072}, 7), Error);
}

TEST_CASE("a stack of more layers or of boxes that are none is beyond the limits") {
  Document document = dates();
  document.transformer.encoder.blocks.resize(49, document.transformer.encoder.blocks[0]);
  CHECK(message_of([&] { check_limits(document); }) == "a stack has at most 48 layers on a side");
  document = dates();
  document.transformer.decoder.blocks[2].off = {1, 3};
  CHECK(message_of([&] { check_limits(document); }) ==
        "stack.decoder.2.boxes.off names box 3, but boxes count from 0 to 2");
  document = dates();
  document.transformer.encoder.tokens[1] = std::string(limits::kMostLabelBytes + 1, 'x');
  CHECK(
      message_of([&] { check_limits(document); }).starts_with("stack.encoder.tokens entry 1 is longer than"));
}

TEST_CASE("history counts the numbers of a stack once for all of its steps") {
  Budget budget;
  History history(dates(), budget);
  const std::size_t first = budget.held(Budget::history);
  CHECK(first > 85792 * sizeof(float));
  Document edited = dates();
  for (int i = 0; i < 10; ++i) {
    switch_stack_box(edited, false, 0, StackBox::attention);
    history.update(edited, false);
  }
  CHECK(history.steps().size() == 11);
  CHECK(budget.held(Budget::history) - first < 11 * 8192);  // labels
  const std::size_t before = budget.held(Budget::history);
  set_number(edited, kStackPlan, "encoder.0.w_q", {0, 0, 0}, 3);
  history.update(edited, false);
  CHECK(history.steps().back().name == "encoder, layer 0, attention: w_q[0, 0] = 3");
  const std::size_t more = budget.held(Budget::history) - before;
  CHECK(more >= 32 * 32 * sizeof(float));
  CHECK(more < 32 * 32 * sizeof(float) + 8192);
}
