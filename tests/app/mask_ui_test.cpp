// The mask bench: chips and their numbers, joins and negation by mouse and keyboard, the brush, masks of one
// head, what the inspector hands out, and what the checks say.
#include <GLFW/glfw3.h>

#include "core/edits/edit_masks.h"
#include "tests/app/controls_lab.h"
#include "tests/app/grid_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

// The small document with two heads and no mask.
Document unmasked_two_heads() {
  Document document = small_document();
  document.layer().masks = {};
  document.layer().heads = document.layer().kv_heads = 2;
  return document;
}

std::size_t painted(const GridLab& lab) {
  std::size_t cells = 0;
  for (const float value : lab.layer().mask.values()) cells += value != 0;
  return cells;
}

}  // namespace

TEST_CASE("every rule has a chip that puts it in with numbers that fit and takes it out") {
  GridLab lab(unmasked_two_heads());
  for (const MaskRule& rule : new_mask_rules()) {
    CAPTURE(name(rule));
    lab.click_item(name(rule));
    lab.settle();
    REQUIRE(lab.layer().masks.size() == 1);
    CHECK(lab.layer().masks[0].rule.index() == rule.index());
    CHECK(lab.results()->document == lab.document());
    lab.click_item(name(rule));
    lab.settle();
    CHECK(lab.layer().masks.empty());
  }
}

TEST_CASE("the number of a rule is typed and stepped in the line of its name and each is a step to undo") {
  GridLab lab(unmasked_two_heads());
  lab.click_item("window");
  enter(lab, "##mask0.width", "0");
  CHECK(lab.layer().masks[0].rule == MaskRule(WindowRule{0}));
  CHECK(lab.step_name() == "window mask, 0");
  CHECK(lab.computed("weights", 1, 1) == 1);
  lab.click_item("blocks");
  enter(lab, "##mask1.lengths", "1 2");
  CHECK(lab.layer().masks[1].rule == MaskRule(BlocksRule{{1, 2}}));
  enter(lab, "##mask1.lengths", "3 4");
  CHECK(lab.layer().masks[1].rule == MaskRule(BlocksRule{{1, 2}}));
  CHECK(lab.shows("add up to at most 4"));
  lab.key(GLFW_KEY_ESCAPE);
  lab.key(GLFW_KEY_Z, {.control = true});
  lab.settle();
  CHECK(lab.layer().masks[1].rule == MaskRule(BlocksRule{{2}}));
}

TEST_CASE("rules are joined by and and negated by their chips") {
  GridLab lab(unmasked_two_heads());
  lab.click_item("causal");
  lab.click_item("window");
  lab.click_item("mask1.join");
  CHECK(lab.layer().masks[1].join == Join::all);
  CHECK(lab.step_name() == "and window mask, 1");
  lab.click_item("mask1.not");
  CHECK(lab.layer().masks[1].negated);
  lab.settle();
  // Later keys that are near: one off the diagonal.
  CHECK(lab.computed("weights", 0, 1) == 0);
  CHECK(lab.computed("weights", 0, 2) > 0);
  CHECK(lab.computed("weights", 2, 0) > 0);
  CHECK_FALSE(lab.item("mask0.join"));
  lab.click_item("mask1.join");
  CHECK(lab.layer().masks[1].join == Join::any);
}

TEST_CASE("a join is reached and switched by the keyboard alone") {
  GridLab lab(unmasked_two_heads());
  lab.click_item("causal");
  lab.click_item("window");
  lab.click_item("mask1.join");
  lab.key(GLFW_KEY_TAB);
  lab.frames(2);
  lab.key(GLFW_KEY_SPACE);
  lab.frames(2);
  CHECK(lab.layer().masks[1].negated);
}

TEST_CASE("a brush hides the cells it passes in all heads and frees them again in one step each") {
  GridLab lab(unmasked_two_heads());
  lab.click_item("paint");
  const std::size_t before = lab.steps();
  lab.drag(lab.at("weights", 1, 0), lab.at("weights", 1, 3), 2);
  lab.settle();
  CHECK(painted(lab) == 4);
  CHECK(lab.layer().mask.stack() == 1);
  CHECK(lab.steps() == before + 1);
  CHECK(lab.step_name() == "mask 4 cells");
  CHECK(lab.results()->output("weights")[{1, 1, 0}] == 0);
  lab.click(lab.at("scores", 1, 2));
  lab.settle();
  CHECK(painted(lab) == 3);
  CHECK(lab.step_name() == "unmask 1 cell");
  lab.click_item("paint");
  lab.drag(lab.at("weights", 2, 0), lab.at("weights", 2, 3));
  CHECK(painted(lab) == 3);
}

TEST_CASE("Shift paints a rectangle") {
  GridLab lab(unmasked_two_heads());
  lab.click_item("paint");
  lab.hold({.shift = true});
  lab.drag(lab.at("weights", 0, 1), lab.at("weights", 2, 3));
  lab.hold({});
  lab.settle();
  CHECK(painted(lab) == 9);
  CHECK(is_painted(lab.layer(), {1, 2, 3}));
  CHECK_FALSE(is_painted(lab.layer(), {1, 3, 3}));
}

TEST_CASE("a head is painted for itself and its mask alone changes") {
  GridLab lab(unmasked_two_heads());
  lab.view().layer.head = 1;
  lab.frames(2);
  lab.click_item("paint one");
  lab.click(lab.at("weights", 2, 0));
  lab.settle();
  CHECK(lab.layer().mask.stack() == 2);
  CHECK(is_painted(lab.layer(), {1, 2, 0}));
  CHECK_FALSE(is_painted(lab.layer(), {0, 2, 0}));
  CHECK(lab.results()->output("weights")[{1, 2, 0}] == 0);
  CHECK(lab.results()->output("weights")[{0, 2, 0}] > 0);
}

TEST_CASE("M hides the selected cells and frees them when all are hidden") {
  GridLab lab(unmasked_two_heads());
  lab.click(lab.at("weights", 1, 0));
  lab.key(GLFW_KEY_RIGHT, {.shift = true});
  lab.key(GLFW_KEY_M);
  lab.settle();
  CHECK(painted(lab) == 2);
  lab.key(GLFW_KEY_M);
  lab.settle();
  CHECK(lab.layer().mask.empty());
  lab.key(GLFW_KEY_M, {.shift = true});
  lab.settle();
  CHECK(lab.layer().mask.stack() == 2);
  CHECK(painted(lab) == 2);
}

TEST_CASE("a weight on a masked key shows its number") {
  Document document = unmasked_two_heads();
  set_causal(document.layer(), CausalAlign::lower_right);
  GridLab lab(document);
  CHECK(lab.text_in(lab.cell("weights", 0, 2)) == "");
  set_number(document, "weights", {0, 0, 2}, 0.25f);
  GridLab leaking(document);
  CHECK(leaking.text_in(leaking.cell("weights", 0, 2)).find(".25") != std::string::npos);
}

TEST_CASE("the inspector hands the mask out in each convention and in calls of PyTorch") {
  Document document = small_document();
  GridLab lab(document);
  lab.view().pinned = spot("weights", 0, 1);
  lab.frames(2);
  lab.click_item("mask True = kept");
  CHECK(lab.clipboard.starts_with("mask = torch.tensor([[True, False, False, False], [True, True, False"));
  lab.click_item("mask added to scores");
  CHECK(lab.clipboard.find("float('-inf')") != std::string::npos);
  lab.click_item("mask call/scaled_dot_product_attention");
  CHECK(lab.clipboard.find("is_causal=True") != std::string::npos);
  CHECK(lab.view().message == "the call is on the clipboard");
  lab.click_item("mask call/MultiheadAttention");
  CHECK(lab.clipboard.find("= attention(x, x, x, attn_mask=mask)") != std::string::npos);
  lab.view().pinned = spot("scores", 0, 1);
  lab.frames(2);
  CHECK_FALSE(lab.item("mask True = kept"));
  document.layer().masks.clear(), document.layer().scale.mode = ScaleMode::none;
  GridLab without(document);
  without.view().pinned = spot("weights", 0, 1);
  without.frames(2);
  without.click_item("mask call/scaled_dot_product_attention");
  CHECK(without.clipboard.find("(q, k, v, scale=") != std::string::npos);
}

TEST_CASE("the checks say which rule a painted mask nearly is and jump to where it is not") {
  Document document = unmasked_two_heads();
  document.layer().x = Tensor({1, 10, 4}, std::vector<float>(40, 0.25f));
  document.layer().tokens = {};
  std::vector<float> mask(100);
  for (std::size_t i = 0; i < 10; ++i)
    for (std::size_t j = i + 1; j < 10; ++j) mask[10 * i + j] = 1;
  mask[10 * 2 + 7] = 0;
  document.layer().mask = Tensor({1, 10, 10}, mask);
  GridLab lab(document);
  CHECK(lab.shows("differs from causal in 1 cell"));
  lab.click_item("check painted mask");
  CHECK(lab.view().pinned == spot("masked", 2, 7));
}

TEST_CASE("a row without a key is named in the checks and leads there") {
  Document document = unmasked_two_heads();
  set_padding(document.layer(), {4, 4, 0, 4});
  GridLab lab(document);
  CHECK(lab.shows("rows with no key left"));
  lab.click_item("check rows with no key left");
  CHECK(lab.view().pinned == spot("weights", 2, 0));
}
