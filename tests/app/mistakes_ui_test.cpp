// Mistakes of the mask and of the softmax's axis, made by their chips: one step each, told by the checks, the
// formula, the controls and every workspace.
#include <doctest/doctest.h>

#include <algorithm>

#include "app/inspector/checks_lines.h"
#include "app/program/commands.h"
#include "tests/app/controls_lab.h"
#include "tests/app/workspace_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

struct MistakeLab : WorkspaceLab {
  explicit MistakeLab(const char* example = "the-cat-sat-on-mat-causal", const char* workspace = "pipeline")
      : WorkspaceLab(workspace, {.document = read_document(example)}) {}

  void click(const std::string& mistake) {
    click_item("layer.break." + mistake);
    settle();
    frames(3);
  }
  bool is_lit(const std::string& mistake) {
    for (const Command& command : make_commands(app()))
      if (command.name == "layer.break." + mistake) return command.checked;
    FAIL("no command for " << mistake);
    return false;
  }
  bool formula_has(const std::string& words) {
    return std::ranges::count(results()->graph.parts[0].formula, words, &FormulaSpan::text) == 1;
  }
  inspector::CheckLine line_of(const char* name) {
    EngineState engine;
    engine.results = results();
    engine.checks = std::make_shared<const Checks>(check(*results()));
    for (const inspector::CheckLine& line : inspector::check_lines(engine, {}))
      if (line.name == name) return line;
    return {};
  }
  // As the checks write it: "0.7559… in row 1".
  std::string check_of(const char* name) {
    const inspector::CheckLine line = line_of(name);
    return (line.verdict == inspector::CheckLine::bad ? "bad " : "") + line.value;
  }
  Spot culprit_of(const char* name) { return line_of(name).culprit.value_or(Spot{}); }
  std::string row_sum() { return check_of("row sum"); }
};

const LayerSpec& layer_of(const MistakeLab& lab) {
  return lab.document().layer();
}

// The chip is lit, the formula and the controls say it; undo and another click take it back.
void check_made(MistakeLab& lab, const Document& before, const std::string& mistake, const std::string& state,
                const std::string& step) {
  CHECK(lab.is_lit(mistake));
  CHECK(lab.shows(state));
  check_undo(lab, before, step.c_str());
  lab.click(mistake);
  CHECK(lab.document() == before);
}

}  // namespace

TEST_CASE("a mask after the softmax is one click and its rows no longer add up to 1") {
  MistakeLab lab;
  const Document before = lab.document();
  CHECK(lab.row_sum().starts_with("1.0000"));
  lab.click("mask-after-softmax");
  CHECK(layer_of(lab).mask_at == MaskAt::after);
  CHECK(lab.formula_has("· (1 − mask)"));
  CHECK_FALSE(lab.formula_has("+ mask"));
  CHECK(lab.row_sum().starts_with("bad 0."));
  CHECK(lab.shows("masked weights"));
  check_made(lab, before, "mask-after-softmax", "causal · in weights", "mask after");
}

TEST_CASE("a softmax over queries is one click and its columns add up to 1 instead of its rows") {
  MistakeLab lab;
  const Document before = lab.document();
  lab.click("softmax-over-queries");
  CHECK(layer_of(lab).softmax_over == SoftmaxOver::queries);
  CHECK(lab.formula_has("softmax over queries("));
  CHECK(lab.row_sum().starts_with("bad "));
  CHECK(lab.shows("softmax over queries"));
  check_made(lab, before, "softmax-over-queries", "softmax · over queries", "softmax over queries");
}

TEST_CASE("a causal mask that is off by one is one click and every query sees the next key") {
  MistakeLab lab;
  const Document before = lab.document();
  CHECK(lab.check_of("causal mask").empty());
  lab.click("off-by-one");
  CHECK(find_rule<CausalRule>(layer_of(lab))->ahead == 1);
  const Tensor mask = lab.results()->output("mask");
  CHECK(mask[{0, 0, 1}] == 0);
  CHECK(mask[{0, 0, 2}] == 1);
  CHECK(lab.check_of("causal mask") == "bad 1 key ahead");
  CHECK(lab.culprit_of("causal mask").cell == Cell{0, 0, 1});
  check_made(lab, before, "off-by-one", "causal + 1", "keys ahead 1");
}

TEST_CASE("a mistake that cannot be made is pale and a click does nothing") {
  MistakeLab lab("the-cat-sat-on-mat");  // no mask
  const Document before = lab.document();
  for (const char* mistake : {"mask-after-softmax", "off-by-one"}) {
    lab.click(mistake);
    CHECK(lab.document() == before);
    CHECK_FALSE(lab.is_lit(mistake));
  }
  lab.run("layer.weighting.sigmoid");
  const Document apart = lab.document();
  lab.click("softmax-over-queries");
  CHECK(lab.document() == apart);
  CHECK(lab.formula_has("σ("));
}

TEST_CASE("a mistake has a row of the controls while it is made") {
  MistakeLab lab;
  lab.run("view.sections");
  for (const auto& [mistake, row] :
       {std::pair{"mask-after-softmax", "mask_at"}, {"off-by-one", "##mask0.ahead"}}) {
    CAPTURE(mistake);
    CHECK_FALSE(lab.reveal(row));
    lab.run(std::string("layer.break.") + mistake);
    CHECK(lab.reveal(row));
  }
  lab.reveal("mask_at");
  choose(lab, "mask_at", "in scores");
  CHECK(layer_of(lab).mask_at == MaskAt::before);
}

TEST_CASE("mistakes with heads, axes and positions are switches of a section of their own") {
  MistakeLab lab("eight-heads");
  lab.run("view.sections");
  for (const char* none : {"rope_on_values", "position_twice", "qk_norm_last"}) CHECK_FALSE(lab.reveal(none));
  const Document before = lab.document();
  for (const auto& [row, word] : {std::pair{"softmax_over", "heads"},
                                  {"key_turn", "reshaped"},
                                  {"head_split", "by memory"},
                                  {"head_merge", "by memory"}}) {
    CAPTURE(row);
    REQUIRE(lab.reveal(row));
    choose(lab, row, word);
  }
  CHECK(layer_of(lab).softmax_over == SoftmaxOver::heads);
  CHECK(layer_of(lab).key_turn == KeyTurn::reshaped);
  CHECK(layer_of(lab).head_split == HeadCut::memory);
  CHECK(layer_of(lab).head_merge == HeadCut::memory);
  CHECK(lab.formula_has("softmax over heads("));
  CHECK(lab.row_sum().starts_with("bad "));
  CHECK(lab.shows("softmax over heads + 3"));
  for (int step = 0; step < 4; ++step) lab.run("edit.undo");
  CHECK(lab.document() == before);
}

TEST_CASE("a mistake that the layer's widths do not allow is refused under its row") {
  Document document = read_document("the-cat-sat-on-mat-causal");
  LayerSpec& layer = document.layer();
  layer.position = Rotary{}, layer.w_o = {}, layer.b_o = {}, layer.b_v = {};
  layer.w_v = Tensor({1, layer.x.columns(), 3}, std::vector<float>(layer.x.columns() * 3, 1));
  WorkspaceLab lab("pipeline", {.document = document});
  lab.run("view.sections");
  REQUIRE(lab.reveal("rope_on_values"));
  lab.click_item("rope_on_values");
  CHECK_FALSE(lab.document().layer().rope_on_values);
  CHECK(lab.shows("RoPE cannot turn 3 features of values"));
}

TEST_CASE("the steps say what is wrong") {
  MistakeLab lab;
  lab.click("mask-after-softmax");
  lab.view().canvas().step = "masked_weights";
  lab.frames(3);
  CHECK(lab.shows("mend it: mask after softmax"));
  lab.click("softmax-over-queries");
  lab.view().layer.open_softmax = true;
  lab.view().canvas().step = "scores_by_key";
  lab.frames(3);
  CHECK(lab.shows("mend it: softmax over queries"));
  lab.view().canvas().step = "weights";
  lab.frames(3);
  CHECK(lab.shows("the wrong axis"));
}

TEST_CASE("every workspace shows a layer with all mistakes at once") {
  for (const Workspace& workspace : workspaces()) {
    CAPTURE(workspace.name);
    Document document = read_document("eight-heads");
    LayerSpec& layer = document.layer();
    layer.masks = {{CausalRule{.ahead = 1}}};
    layer.mask_at = MaskAt::after, layer.softmax_over = SoftmaxOver::queries;
    WorkspaceLab lab(workspace.name, {.document = document});
    REQUIRE(lab.results());
    CHECK(lab.results()->document == document);
    layer.head_split = layer.head_merge = HeadCut::memory, layer.key_turn = KeyTurn::reshaped;
    layer.softmax_over = SoftmaxOver::heads, layer.position = Rotary{};
    layer.position_twice = layer.rope_on_values = layer.qk_norm = layer.qk_norm_last = true;
    WorkspaceLab other(workspace.name, {.document = document});
    REQUIRE(other.results());
    CHECK(other.results()->document == document);
  }
}
