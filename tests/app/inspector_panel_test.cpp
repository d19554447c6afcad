// The inspector as it is drawn and clicked: terms, operands, checks, overrides, copies, and the history.
#include <GLFW/glfw3.h>
#include <doctest/doctest.h>

#include <limits>

#include "app/host/headless.h"
#include "app/program/input.h"
#include "core/edits/edit.h"
#include "core/io/matrix_text.h"
#include "core/reference/backend.h"
#include "tests/app/documents.h"
#include "tests/app/workspace_lab.h"
#include "tests/layers.h"

using namespace attn;
using namespace attn::tests;

namespace {

void pin(Headless& lab, const Spot& spot) {
  lab.view().pinned = spot;
  lab.frames(2);
}

}  // namespace

TEST_CASE("without a number the inspector says how to get one and shows the checks") {
  Headless lab({.document = five_tokens()});
  CHECK(lab.shows("Point at any number"));
  CHECK(lab.shows("weight on masked keys"));
}

TEST_CASE("where a workspace speaks first the inspector does not ask for a number") {
  WorkspaceLab lab("heads", {.document = five_tokens()});
  CHECK(lab.shows("weight on masked keys"));
  CHECK_FALSE(lab.shows("Point at any number"));
}

TEST_CASE("a pinned score is drawn with its terms") {
  Headless lab({.document = five_tokens()});
  pin(lab, {"scores", {0, 3, 0}});
  CHECK(lab.find_text("scores[3, 0] · head 0"));
  for (const char* text : {"1.698", "0.764", "+1.297", "−3.985", "+6.061", "+10.713", "1.238 of 1.386 nats"})
    CHECK_MESSAGE(lab.shows(text), text);
}

TEST_CASE("a click on an operand opens it") {
  Headless lab({.document = five_tokens()});
  pin(lab, {"scores", {0, 3, 0}});
  lab.click_item("term1.0");
  CHECK(lab.view().pinned == Spot{"q", {0, 3, 1}});
  CHECK(lab.find_text("Q[3, 1] · head 0"));
  lab.click_item("step0");
  CHECK(lab.view().pinned->stage == "scores");
}

TEST_CASE("opening a number whose matrix is hidden shows the matrix") {
  Headless lab({.document = five_tokens()});
  pin(lab, {"weights", {0, 3, 0}});
  CHECK_FALSE(lab.item("row_sum/cells"));
  lab.click_item("sum");
  lab.frames(2);
  CHECK(lab.view().pinned == Spot{"row_sum", {0, 3, 0}});
  CHECK(lab.item("row_sum/cells"));
  pin(lab, {"q", {0, 3, 0}});
  CHECK_FALSE(lab.item("w_q/cells"));
  lab.click_item("term0.1");
  lab.frames(2);
  CHECK(lab.view().pinned->stage == "w_q");
  CHECK(lab.item("w_q/cells"));
}

TEST_CASE("every number of every stage can be shown") {
  Document document = read_document("the-cat-sat-on-mat-two-heads");
  set_causal(document.layer(), CausalAlign::lower_right);
  set_padding(document.layer(), {4});
  document.layer().dropout = 0.25;
  set_number(document, "weights", {1, 2, 0}, 0.5f);
  Headless lab({.document = document, .size = {1024, 640}});
  const auto results = lab.results();
  for (const Stage& stage : results->graph.stages) {
    pin(lab, {stage.id, {stage.shape.stack - 1, stage.shape.rows - 1, stage.shape.columns - 1}});
    CAPTURE(stage.id);
    CHECK(lab.shows(stage.title + "["));
    CHECK(lab.view().pinned->stage == stage.id);
  }
}

TEST_CASE("a broken check jumps to its culprit") {
  Document document = read_document("three-tokens");
  document.layer().q = with_value(document.layer().q, {0, 2, 1}, std::numeric_limits<float>::quiet_NaN());
  Headless lab({.document = document});
  lab.click_item("check NaN, ∞");
  CHECK(lab.view().pinned == Spot{"q", {0, 2, 1}});
  CHECK(lab.find_text("Q[2, 1] · head 0"));
  CHECK(lab.find_text("NaN"));
}

TEST_CASE("an inspected number stays when the pointer leaves it and goes when it no longer exists") {
  Headless lab({.document = five_tokens()});
  pin(lab, {"weights", {0, 4, 4}});
  lab.view().pinned.reset();
  lab.frames(2);
  CHECK(lab.find_text("weights[4, 4] · head 0"));
  Document shorter = lab.document();
  remove_token(shorter, 4);
  lab.app().change(shorter);
  lab.settle();
  CHECK(!lab.find_text("weights[4, 4] · head 0"));
  CHECK(lab.shows("Point at any number"));
}

TEST_CASE("overrides are listed and removed one by one") {
  Document document = five_tokens();
  set_number(document, "weights", {0, 3, 0}, 0.9f);
  set_number(document, "scores", {0, 1, 1}, -4);
  Headless lab({.document = document});
  CHECK(lab.find_text("Your numbers"));
  CHECK(lab.find_text("0.900"));
  lab.click_item("override1");
  CHECK(lab.view().pinned == Spot{"scores", {0, 1, 1}});
  CHECK(lab.shows("before your number"));
  lab.frames(2);  // the panel has come to scroll
  lab.click_item("remove0");
  REQUIRE(lab.document().overrides.size() == 1);
  CHECK(lab.document().overrides[0].stage == "scores");
  CHECK(lab.app().history().steps().size() == 2);
}

TEST_CASE("the matrix of the number is copied for other programs") {
  Headless lab({.document = five_tokens(), .size = {1600, 2000}});
  pin(lab, {"weights", {0, 3, 0}});
  for (const TextFormatName& format : kTextFormats) {
    lab.click_item("copy/" + std::string(format.name));
    CHECK(lab.clipboard == write_matrix(lab.results()->output("weights"), 0, format.format));
  }
  CHECK(lab.view().message == "weights, 5×5, copied as TSV");
}

TEST_CASE("a click in the history goes there") {
  Headless lab({.document = five_tokens()});
  lab.view().settings.show_history = true;
  Document document = lab.document();
  document.layer().temperature = 2;
  lab.app().change(document);
  set_causal(document.layer(), {});
  lab.app().change(document);
  lab.settle();
  CHECK(lab.find_text("temperature 2"));
  lab.click_item("history/step1");
  CHECK(lab.app().history().position() == 1);
  CHECK(lab.document().layer().temperature == 2);
  CHECK(causal_of(lab.document().layer()));
  lab.click_item("history/step0");
  CHECK(lab.document().layer().temperature == 6);
  lab.click_item("history/step2");
  CHECK(!causal_of(lab.document().layer()));
}

TEST_CASE("the badge opens the choice of devices and lists them") {
  Headless lab({.document = five_tokens()});
  CHECK(lab.shows("reference"));
  lab.click_item("device");
  lab.settle();
  lab.frames(2);
  CHECK(lab.app().engine_state().surveyed);
  CHECK(lab.shows("Best device"));
}

TEST_CASE("of very many numbers of one's own the largest are listed and the others counted") {
  Document document = five_tokens();
  document.layer().tokens.clear();
  set_token_count(document, 20);
  std::vector<CellValue> cells;
  for (std::size_t row = 0; row < 20; ++row)
    for (std::size_t column = 0; column < 20; ++column) cells.push_back({{0, row, column}, 1});
  cells.back().value = -5;
  set_numbers(document, "scores", cells);
  Headless lab({.document = document, .size = {1600, 4000}});
  CHECK(lab.item("override7"));
  CHECK(!lab.item("override8"));
  CHECK(lab.find_text("▸ 392 more"));
  lab.click_item("more overrides");
  lab.frames(2);
  CHECK(lab.item("override8"));
  CHECK(lab.item("override60"));
  CHECK_FALSE(lab.item("override399"));  // a page and more out of sight
  lab.resize({1600, 20000});
  CHECK(lab.item("override399"));
  CHECK(lab.find_text("▾ fewer"));
  lab.click_item("more overrides");
  lab.frames(2);
  CHECK(!lab.item("override8"));
  lab.key(GLFW_KEY_ENTER);  // it has the focus of the click, but no ring
  lab.key(GLFW_KEY_TAB);
  lab.key(GLFW_KEY_TAB, {.shift = true});
  lab.frames(2);
  lab.key(GLFW_KEY_ENTER);
  lab.frames(2);
  CHECK(lab.item("override8"));
  lab.key(GLFW_KEY_ENTER);
  lab.frames(2);
  CHECK(!lab.item("override8"));
  lab.click_item("override0");
  lab.frames(2);
  REQUIRE(lab.view().pinned);
  CHECK(lab.view().pinned->cell == Cell{0, 19, 19});
}
