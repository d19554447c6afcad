// Sections of the controls that fold, with their state; mistakes on purpose; the example chooser.
#include <doctest/doctest.h>

#include "app/canvas/steps.h"
#include "app/program/commands.h"
#include "core/attention/layer_fields.h"
#include "tests/app/controls_lab.h"
#include "tests/app/workspace_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

struct SectionsLab : WorkspaceLab {
  explicit SectionsLab(const char* example = "the-cat-sat-on-mat-causal", const char* workspace = "pipeline")
      : WorkspaceLab(workspace, {.document = read_document(example)}) {}
  bool row(const char* id) { return item(id).has_value(); }
  void step(const char* id) {
    view().canvas().step = id;
    frames(2);
  }
};

}  // namespace

TEST_CASE("a section shows its state while it is folded, and stays as the person left it") {
  SectionsLab lab;
  for (const char* state : {"5 tokens · d 4 · 1 head", "dot · 1/√d_k", "causal", "softmax", "none", "off"})
    CHECK_MESSAGE(lab.find_text(state), state);
  CHECK_FALSE(lab.row("##temperature"));
  lab.click_item("section Scores");
  lab.frames(2);
  CHECK(lab.row("##temperature"));
  lab.app().show(SectionsLab::workspace("heads"));
  lab.settle();
  lab.app().show(SectionsLab::workspace("pipeline"));
  lab.settle();
  lab.frames(2);
  CHECK(lab.row("##temperature"));
  lab.click_item("section Scores");
  lab.frames(2);
  CHECK_FALSE(lab.row("##temperature"));
}

TEST_CASE("the section that the present step is about is open, and is as it was afterwards") {
  SectionsLab lab;
  lab.step("scaled");
  CHECK(lab.row("##temperature"));
  CHECK(lab.find_text("this step"));
  lab.step("masked");
  CHECK_FALSE(lab.row("##temperature"));
  CHECK(lab.row("fill"));
  leave_steps(lab.view());
  lab.frames(2);
  CHECK_FALSE(lab.row("fill"));
}

TEST_CASE("a row that a command opens for typing, and one that is refused, open their section") {
  SectionsLab lab;
  lab.run("layer.temperature");
  lab.frames(2);
  lab.enter("3");
  CHECK(lab.document().layer().temperature == 3);
  CHECK(lab.row("##temperature"));
  CHECK_FALSE(lab.row("##tokens"));  // the others are folded again
  lab.run("layer.heads");
  lab.frames(2);
  lab.enter("3");
  CHECK(lab.shows("use 2"));
  CHECK(lab.row("##tokens"));
}

TEST_CASE("all sections are opened and folded by a command") {
  SectionsLab lab;
  lab.run("view.sections");
  for (const char* id : {"##tokens", "##temperature", "fill", "weighting", "position", "precision"})
    CHECK_MESSAGE(lab.reveal(id), id);
  lab.run("view.sections");
  CHECK_FALSE(lab.row("##temperature"));
}

TEST_CASE("a mistake on purpose is one step, lit while it is made, and taken back by another click") {
  SectionsLab lab;
  const Document before = lab.document();
  lab.click_item("layer.break.scale-off");
  lab.settle();
  CHECK(lab.document().layer().scale.mode == ScaleMode::none);
  check_undo(lab, before, "scale");
  lab.click_item("layer.break.scale-off");
  lab.settle();
  CHECK(lab.document() == before);
  lab.click_item("layer.break.no-positions");  // none in use: pale, and nothing happens
  lab.settle();
  CHECK(lab.document() == before);
}

TEST_CASE("a mask that is inverted makes the checks say so") {
  SectionsLab lab;
  lab.click_item("layer.break.mask-inverted");
  lab.settle();
  lab.frames(3);
  CHECK(lab.shows("rows with no key left"));
}

TEST_CASE("the example chooser stands in every workspace, says what is open, and opens another") {
  for (const Workspace& workspace : workspaces()) {
    CAPTURE(workspace.name);
    SectionsLab lab("the-cat-sat-on-mat-causal", std::string(workspace.name).c_str());
    CHECK(lab.find_text("the cat sat on mat causal"));
    CHECK(lab.find_text("5 tokens; none sees a later one"));
  }
  SectionsLab lab;
  choose(lab, "example", "eight heads");
  lab.frames(3);
  CHECK(lab.document() == read_document("eight-heads"));
  CHECK(lab.find_text("eight heads"));
  lab.undo();
  CHECK(lab.document() == read_document("the-cat-sat-on-mat-causal"));
}

TEST_CASE("every example has a line about it") {
  for (const std::string& name : examples()) CHECK_MESSAGE(!example_says(name).empty(), name);
}

TEST_CASE("one head is offered eight, several are not") {
  SectionsLab lab("the-cat-sat-on-mat", "heads");
  lab.click_item("open eight heads");
  lab.settle();
  lab.frames(3);
  CHECK(head_count(lab.document().layer()) == 8);
  CHECK_FALSE(lab.item("open eight heads"));
}

TEST_CASE("one's own numbers begin as three tokens of zeros") {
  SectionsLab lab;
  lab.click_item("layer.own");
  lab.settle();
  CHECK(lab.document().layer().direct);
  CHECK(lab.document().layer().q.shape() == Shape{1, 3, 4});
  lab.undo();
  CHECK_FALSE(lab.document().layer().direct);
}
