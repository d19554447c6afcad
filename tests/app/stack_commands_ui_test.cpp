// The commands of the workspace of stacks: keys that go through layers, rows, heads, boxes and steps, edits
// by name, and numbers that are opened.
#include "core/document/stack_edit.h"
#include "core/transformer/made.h"
#include "tests/app/stack_inspect_lab.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("arrows go through layers and steps of decoding, with Shift through rows") {
  StackInspectorLab lab;
  const Document before = lab.document();
  lab.press_key(GLFW_KEY_DOWN);
  CHECK(lab.at().layer == 1);
  for (int i = 0; i < 5; ++i) lab.press_key(GLFW_KEY_DOWN);
  CHECK(lab.at().layer == 3);
  lab.press_key(GLFW_KEY_UP);
  CHECK(lab.at().layer == 2);
  lab.press_key(GLFW_KEY_DOWN, {.shift = true});
  CHECK(lab.at().row == 1);
  lab.press_key(GLFW_KEY_UP, {.shift = true});
  lab.press_key(GLFW_KEY_UP, {.shift = true});
  CHECK(lab.at().row == 0);
  lab.at().step = 0;
  lab.press_key(GLFW_KEY_RIGHT);
  CHECK(lab.at().step == 1);
  for (int i = 0; i < 12; ++i) lab.press_key(GLFW_KEY_RIGHT);
  CHECK(lab.at().step == 9);  // behind the start symbol and nine characters
  lab.press_key(GLFW_KEY_LEFT);
  CHECK(lab.at().step == 8);
  lab.press_key(GLFW_KEY_H);
  CHECK(lab.view().layer.head == 1);
  lab.press_key(GLFW_KEY_H, {.shift = true});
  lab.press_key(GLFW_KEY_H, {.shift = true});
  CHECK(lab.view().layer.head == 0);
  CHECK(lab.document() == before);
}

TEST_CASE("an encoder alone keeps the arrows for the stages") {
  StackInspectorLab lab(read_document("the-cat-sat-on-mat-causal"));
  lab.press_key(GLFW_KEY_RIGHT);
  CHECK(lab.view().canvas().step);
  for (const Command& each : make_commands(lab.app()))
    if (each.name == "stack.next_step") CHECK_FALSE(each.enabled);
}

TEST_CASE("R shows the rows of each side and across, as far as there are") {
  StackInspectorLab lab;
  for (const StackRows rows : {StackRows::decoder, StackRows::cross, StackRows::encoder}) {
    lab.press_key(GLFW_KEY_R);
    CHECK(lab.at().rows == rows);
  }
  StackInspectorLab alone(read_document("the-cat-sat-on-mat-causal"));
  alone.press_key(GLFW_KEY_R);
  CHECK(alone.at().rows == StackRows::encoder);
}

TEST_CASE("N takes the residuals away, one step of undo") {
  StackInspectorLab lab;
  const Document before = lab.document();
  lab.press_key(GLFW_KEY_N);
  CHECK_FALSE(lab.document().transformer.residual);
  CHECK(lab.shows("no residual"));
  check_undo(lab, before, "residual");
}

TEST_CASE("L lights the next box and B switches it off and on") {
  StackInspectorLab lab;
  const Document before = lab.document();
  lab.press_key(GLFW_KEY_DOWN);
  lab.press_key(GLFW_KEY_L);
  CHECK(lab.at().box == StackBox::feed_forward);
  lab.press_key(GLFW_KEY_B);
  CHECK(lab.document().transformer.encoder.blocks[1].is_off(StackBox::feed_forward));
  CHECK(lab.shows("nothing: off"));
  CHECK(lab.steps() == 1);
  lab.press_key(GLFW_KEY_B);
  CHECK(lab.document() == before);
  lab.press_key(GLFW_KEY_L);
  CHECK(lab.at().box == StackBox::attention);
}

TEST_CASE("P opens what the lit box's norm makes of the shown row, brackets its neighbours") {
  StackInspectorLab lab;
  lab.at().layer = 1, lab.at().row = 4, lab.at().feature = 12;
  lab.press_key(GLFW_KEY_P);
  const BlockStages& block = lab.block(false, 1);
  CHECK(lab.is_pinned(*block.boxes[0].normed, {0, 4, 12}));
  lab.type("]");
  lab.frames(2);
  CHECK(lab.is_pinned(*block.boxes[0].normed, {0, 4, 13}));
  lab.type("[");
  lab.type("[");
  lab.frames(2);
  CHECK(lab.is_pinned(*block.boxes[0].normed, {0, 4, 11}));
  CHECK(lab.at().feature == 11);
  lab.press_key(GLFW_KEY_DOWN, {.shift = true});
  CHECK(lab.is_pinned(*block.boxes[0].normed, {0, 5, 11}));
  lab.press_key(GLFW_KEY_UP, {.shift = true});
  lab.press_key(GLFW_KEY_L);
  lab.press_key(GLFW_KEY_P);
  CHECK(lab.is_pinned(*block.boxes[1].normed, {0, 4, 11}));
}

TEST_CASE("without norms P opens the stream behind the box") {
  Document document = dates_document();
  set_norm_at(document, NormAt::none);
  StackInspectorLab lab(document);
  lab.press_key(GLFW_KEY_P);
  CHECK(lab.is_pinned(lab.block(false, 0).boxes[0].stream, {0, 0, 0}));
}

TEST_CASE("U opens a token's own share of the rollout, and again its weight in the last layer") {
  StackInspectorLab lab;
  lab.at().row = 4;
  lab.press_key(GLFW_KEY_U);
  CHECK(lab.is_pinned(*lab.places().rollout, {0, 4, 4}));
  lab.press_key(GLFW_KEY_U);
  CHECK(lab.is_pinned(lab.block(false, 3).find(StackBox::attention)->layer->weights, {0, 4, 4}));
  lab.press_key(GLFW_KEY_U);
  CHECK(lab.is_pinned(*lab.places().rollout, {0, 4, 4}));
}

TEST_CASE("norms, sides, layers and weights are chosen by name") {
  StackInspectorLab lab(read_document("the-cat-sat-on-mat-causal"));
  lab.run("stack.norm_at.after");
  CHECK(lab.document().transformer.norm_at == NormAt::after);
  lab.run("stack.norm_kind.rms");
  CHECK(lab.document().transformer.norm_kind == NormKind::rms);
  lab.run("stack.feed_forward.swiglu");
  CHECK(feed_forward_of(lab.document().transformer) == FeedForward::swiglu);
  lab.run("stack.fewer_layers");
  CHECK(sizes_of(lab.document().transformer).layers == 3);
  lab.run("stack.more_layers");
  CHECK(sizes_of(lab.document().transformer).layers == 4);
  const StackSpec drawn = lab.document().transformer;
  lab.run("stack.next_seed");
  CHECK(lab.document().transformer.seed == drawn.seed + 1);
  CHECK_FALSE(lab.document().transformer.encoder.blocks == drawn.encoder.blocks);
  lab.run("stack.sides.both");
  CHECK(lab.document().transformer.has_decoder());
  CHECK(lab.steps() == 7);
}
