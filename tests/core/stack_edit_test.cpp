// Edits of a document's stack: each makes a stack that builds, names its undo step, and refuses what cannot
// be with a reason, the document as it was.
#include "core/document/stack_edit.h"

#include <doctest/doctest.h>

#include "core/document/edit.h"
#include "core/document/history.h"
#include "core/document/limits.h"
#include "core/document/stack_plan.h"
#include "core/transformer/graph.h"
#include "core/transformer/made.h"
#include "tests/core/stack_documents.h"

using namespace attn;
using namespace attn::tests;

namespace {

// What the undo step of an edit is called; the graph of what it made is built, and it is within the limits.
std::string step_of(Document& document, const std::function<void(Document&)>& edit) {
  const Document before = document;
  edit(document);
  CHECK_NOTHROW(build_stack(document));
  CHECK_NOTHROW(check_limits(document));
  CHECK_FALSE(document.transformer.empty());
  return describe(before, document);
}

}  // namespace

TEST_CASE("every edit of a stack over A makes it the document's own and says what it did") {
  const auto name = [](const std::function<void(Document&)>& edit) {
    Document document = over_a();
    return step_of(document, edit);
  };
  CHECK(name([](Document& d) { own_stack(d); }) == "a stack");
  CHECK(name([](Document& d) { set_stack_sides(d, StackSides::both); }) == "stack: encoder–decoder");
  CHECK(name([](Document& d) { set_stack_sides(d, StackSides::decoder); }) == "stack: decoder");
  CHECK(name([](Document& d) { set_stack_layers(d, 1); }) == "1 layer");
  CHECK(name([](Document& d) { set_stack_layers(d, 48); }) == "48 layers");
  CHECK(name([](Document& d) { set_stack_heads(d, 8); }) == "heads 8");
  CHECK(name([](Document& d) { set_stack_width(d, 16); }) == "width 16");
  CHECK(name([](Document& d) { set_stack_inner(d, 3); }) == "inner width 3");
  CHECK(name([](Document& d) { set_feed_forward(d, FeedForward::gelu); }) == "feed-forward: GELU");
  CHECK(name([](Document& d) { set_feed_forward(d, FeedForward::gelu_tanh); }) == "feed-forward: GELU tanh");
  CHECK(name([](Document& d) { set_feed_forward(d, FeedForward::silu); }) == "feed-forward: SiLU");
  CHECK(name([](Document& d) { set_feed_forward(d, FeedForward::swiglu); }) == "feed-forward: SwiGLU");
  CHECK(name([](Document& d) { set_feed_forward(d, FeedForward::none); }) == "no feed-forward");
  CHECK(name([](Document& d) { set_norm_at(d, NormAt::after); }) == "norm: after");
  CHECK(name([](Document& d) { set_norm_at(d, NormAt::none); }) == "norm: none");
  CHECK(name([](Document& d) { set_norm_kind(d, NormKind::rms); }) == "norm: RMSNorm");
  CHECK(name([](Document& d) { set_stack_seed(d, 8); }) == "weights by seed 8");
  CHECK(name([](Document& d) { switch_stack_box(d, false, 1, StackBox::attention); }) ==
        "encoder, layer 1: attention off");
  CHECK(name([](Document& d) { own_stack(d).residual = false; }) == "no residual");
  CHECK(name([](Document& d) { own_stack(d).epsilon = 0.5; }) == "ε 0.5");
  CHECK(name([](Document& d) { d.transformer = dates_stack(); }) == "weights: trained");
  CHECK(name([](Document& d) {
          set_number(d, kStackPlan, "encoder.2.w_q", {0, 1, 2}, 4);
        }) == "encoder, layer 2, attention: w_q[1, 2] = 4");
  CHECK(name([](Document& d) {
          set_number(d, kStackPlan, "encoder.0.linear1.weight", {0, 1, 2}, 4);
        }) == "encoder, layer 0, inner: w[1, 2] = 4");
  CHECK(name([](Document& d) {
          set_number(d, kStackPlan, "encoder.0.stream", {0, 1, 2}, 4);
        }) == "override encoder.0.stream");
}

TEST_CASE("edits of the trained stack say what they did, and back again") {
  Document document = dates();
  const auto name = [&](const std::function<void(Document&)>& edit) { return step_of(document, edit); };
  CHECK(name([](Document& d) { switch_stack_box(d, true, 3, StackBox::cross); }) ==
        "decoder, layer 3: cross-attention off");
  CHECK(name([](Document& d) { switch_stack_box(d, true, 3, StackBox::attention); }) ==
        "decoder, layer 3: attention off");
  CHECK(document.transformer.decoder.blocks[3].off == std::vector<std::size_t>{0, 1});
  CHECK(name([](Document& d) { switch_stack_box(d, true, 3, StackBox::attention); }) ==
        "decoder, layer 3: attention on");
  CHECK(name([](Document& d) { switch_stack_box(d, true, 3, StackBox::cross); }) ==
        "decoder, layer 3: cross-attention on");
  CHECK(document == dates());
  CHECK(name([](Document& d) { set_input_text(d, false, "03·jan·2001"); }) == "input 03·jan·2001");
  CHECK(name([](Document& d) { set_input_text(d, true, "2001"); }) == "written 2001");
  CHECK(name([](Document& d) { set_input_text(d, true, ""); }) == "nothing written");
  CHECK(name([](Document& d) { set_stack_seed(d, 7); }) == "weights by seed 7");
  CHECK(name([](Document& d) { d.transformer = dates_stack(); }) == "weights: trained");
  CHECK(name([](Document& d) {
          d.transformer.tied = false, d.transformer.head = counting({1, 32, 32});
        }) == "weights not tied");
}

TEST_CASE("norms that stand nowhere for a while come back as they were trained") {
  Document document = dates();
  set_norm_at(document, NormAt::none);
  CHECK_NOTHROW(build_stack(document));
  set_norm_at(document, NormAt::before);
  CHECK(document == dates());
  set_norm_kind(document, NormKind::rms);
  CHECK_FALSE(document == dates());
  CHECK_NOTHROW(build_stack(document));
  set_norm_kind(document, NormKind::layer);
  CHECK(document == dates());
}

TEST_CASE("a drawn stack keeps the embedding, its ties and what its blocks are like") {
  Document document = dates();
  set_stack_layers(document, 2);
  const StackSpec& stack = document.transformer;
  CHECK(stack.weights == StackWeights::drawn);
  CHECK(stack.tied);
  CHECK(stack.embedding == dates_stack().embedding);
  CHECK(stack.position_table == dates_stack().position_table);
  CHECK(stack.encoder.ids == dates_stack().encoder.ids);
  REQUIRE(stack.decoder.blocks.size() == 2);
  CHECK(stack.decoder.blocks[1].attention.masks == dates_stack().decoder.blocks[0].attention.masks);
  CHECK(stack.decoder.blocks[1].attention.b_q.empty());
  CHECK(stack.encoder.blocks[0].attention.w_q != stack.encoder.blocks[1].attention.w_q);
  set_stack_width(document, 16);
  CHECK_NOTHROW(build_stack(document));
  CHECK(width_of(document.transformer) == 16);
  CHECK(document.transformer.embedding.shape() == Shape{1, 32, 16});
  CHECK(document.transformer.position_table.shape() == Shape{1, 21, 16});
  CHECK(document.transformer.encoder.blocks[0].inner.w.shape() == Shape{1, 16, 32});  // 64 of 32 before
}

TEST_CASE("the same seed draws the same weights, and another one others") {
  Document one = over_a(), other = over_a();
  set_stack_seed(one, 8), set_stack_seed(other, 8);
  CHECK(one == other);
  set_stack_seed(other, 9);
  CHECK(one.transformer.encoder.x == other.transformer.encoder.x);
  CHECK(one.transformer.encoder.blocks[3].outer.w != other.transformer.encoder.blocks[3].outer.w);
}

TEST_CASE("a decoder sees no later tokens, and an encoder before it through cross-attention") {
  Document document = over_a();
  set_stack_sides(document, StackSides::both);
  CHECK(std::ranges::all_of(document.transformer.decoder.blocks, [](const StackBlock& b) {
    return b.cross && find_rule<CausalRule>(b.attention);
  }));
  CHECK(std::ranges::none_of(document.transformer.encoder.blocks, [](const StackBlock& b) {
    return b.cross || find_rule<CausalRule>(b.attention);
  }));
  CHECK(document.transformer.decoder.x == document.transformer.encoder.x);
  CHECK(document.transformer.decoder.tokens == document.transformer.encoder.tokens);
  set_stack_sides(document, StackSides::decoder);
  CHECK(document.transformer.encoder.blocks.empty());
  CHECK(std::ranges::none_of(document.transformer.decoder.blocks,
                             [](const StackBlock& b) { return b.cross.has_value(); }));
  CHECK_NOTHROW(build_stack(document));
  set_stack_sides(document, StackSides::encoder);
  CHECK(document.transformer.decoder.blocks.empty());
  CHECK_NOTHROW(build_stack(document));
}

TEST_CASE("heads are cut from the same matrices, as RoPE can turn them") {
  Document document = over_a();
  own_stack(document).position = Rotary{};
  const Tensor w_q = document.transformer.encoder.blocks[1].attention.w_q;
  document.transformer.encoder.blocks[1].attention.muted_heads = {0, 1};
  set_stack_heads(document, 1);
  CHECK(document.transformer.encoder.blocks[1].attention.muted_heads == std::vector<std::size_t>{0});
  CHECK(document.transformer.encoder.blocks[1].attention.w_q == w_q);
  set_stack_heads(document, 8);  // of one feature each, which no pair can be made of
  CHECK(document.transformer.position == Position(NoPosition{}));
  CHECK_NOTHROW(build_stack(document));
}

TEST_CASE("what cannot be is refused with what could, and nothing is changed") {
  const auto refused = [](const std::function<void(Document&)>& edit) {
    return stack_edit_refusal(over_a(), edit);
  };
  const auto of_dates = [](const std::function<void(Document&)>& edit) {
    return stack_edit_refusal(dates(), edit);
  };
  CHECK(refused([](Document& d) { set_stack_layers(d, 0); }) == "a stack has from 1 to 48 layers, not 0");
  CHECK(refused([](Document& d) { set_stack_layers(d, 49); }) == "a stack has from 1 to 48 layers, not 49");
  CHECK(refused([](Document& d) { set_stack_heads(d, 3); }).starts_with("3 heads don't divide d = 8: "));
  CHECK(refused([](Document& d) { set_stack_heads(d, 0); }).starts_with("0 heads don't divide d = 8: "));
  CHECK(refused([](Document& d) { set_stack_width(d, 9); }) == "2 heads don't divide d = 9: use 10");
  CHECK(refused([](Document& d) { set_stack_width(d, 0); }) == "2 heads don't divide d = 0: use 2");
  for (const std::size_t much : {std::size_t{1} << 24, std::size_t{1} << 27, std::size_t{1} << 62}) {
    CHECK(refused([&](Document& d) { set_stack_width(d, much); }).find("numbers") != std::string::npos);
    CHECK(refused([&](Document& d) { set_stack_inner(d, much); }).find("numbers") != std::string::npos);
  }
  const auto of_nothing = [](const std::function<void(Document&)>& edit) {
    return stack_edit_refusal(Document(), edit);
  };
  CHECK(of_nothing([](Document& d) { set_stack_layers(d, 2); }).starts_with("there are no tokens to make a"));
  CHECK(of_nothing([](Document& d) { set_norm_at(d, NormAt::none); }).starts_with("there are no tokens"));
  CHECK(refused([](Document& d) { switch_stack_box(d, false, 4, StackBox::attention); }) ==
        "layer 4 of the encoder has no such box: nothing was changed");
  CHECK(refused([](Document& d) { switch_stack_box(d, false, 0, StackBox::cross); }) ==
        "layer 0 of the encoder has no such box: nothing was changed");
  CHECK(refused([](Document& d) {
          set_input_text(d, false, "abc");
        }).starts_with("the stack has no embedding"));
  CHECK(of_dates([](Document& d) {
          set_input_text(d, false, "12·mär·1987");
        }).starts_with("“ä” is no symbol of this stack: it knows "));
  CHECK(of_dates([](Document& d) { set_input_text(d, false, ""); }) == "give at least one character");
  CHECK(of_dates([](Document& d) { set_input_text(d, true, "1987-03-123"); }) ==
        "the stack has learned 10 positions for these tokens: give at most so many characters");
}

TEST_CASE("what a session says of SiLU is not called another activation") {
  Document document = dates();
  document.transformer.activation = ActivationKind::silu;
  CHECK(feed_forward_of(document.transformer) == FeedForward::silu);
}

TEST_CASE("trained biases of norms outlast RMSNorm, which leaves them out") {
  const Document before = dates();
  Document document = before;
  set_norm_kind(document, NormKind::rms);
  Graph graph;
  append_stack(graph, document.transformer);
  for (const Stage& stage : graph.stages) CHECK_FALSE(stage.field.ends_with("norm1.bias"));
  // 3 norms of a decoder's layer, 2 of an encoder's, a final one of each side: 22 biases of d numbers.
  CHECK(parameter_count(before.transformer) - parameter_count(document.transformer) ==
        (4 * 5 + 2) * width_of(before.transformer));
  set_norm_kind(document, NormKind::layer);
  CHECK(document.transformer == before.transformer);
}

TEST_CASE("a decoder whose tokens begin without a start symbol is edited as it is") {
  Document document = dates();
  StackSpec& stack = document.transformer;
  stack.sides = StackSides::decoder, stack.symbols = {"a", "b", "c", "‹7›"};
  stack.decoder.tokens = {"a", "b"};
  set_input_text(document, true, "c‹7›ab");
  CHECK(document.transformer.decoder.tokens == Labels{"c", "‹7›", "a", "b"});
  CHECK(document.transformer.decoder.ids.values()[1] == 3);
  CHECK(input_text(document.transformer.decoder) == "c‹7›ab");
}

TEST_CASE("an input is its characters, the start symbol before what is written") {
  Document document = dates();
  CHECK(input_text(document.transformer.encoder) == "12·mar·1987");
  CHECK(input_text(document.transformer.decoder) == "1987-03-1");
  set_input_text(document, true, "2001-01-0");
  CHECK(document.transformer.decoder.tokens.front() == kStartSymbol);
  CHECK(document.transformer.decoder.tokens.size() == 10);
  const auto ids = document.transformer.decoder.ids;
  for (std::size_t i = 0; i < ids.rows(); ++i)
    CHECK(document.transformer.symbols[static_cast<std::size_t>(ids[{0, i, 0}])] ==
          document.transformer.decoder.tokens[i]);
}
