// Boxes take what their fields take, and what they refuse is said for as long as it is so.
#include <doctest/doctest.h>

#include <GLFW/glfw3.h>

#include "app/host/headless.h"
#include "app/program/input.h"
#include "tests/app/controls_lab.h"
#include "tests/layers.h"

using namespace attn;
using namespace attn::tests;

namespace {

Document with_dropout() {
  Document document = read_document("the-cat-sat-on-mat");
  document.layer().dropout = 0.5;
  return document;
}

bool refused(Headless& lab) {
  return lab.view().field && !lab.view().field->error.empty();
}

}  // namespace

TEST_CASE("the base box takes every base that the field takes") {
  Document document = read_document("the-cat-sat-on-mat");
  document.layer().position = Sinusoidal();
  Headless lab({.document = document});
  const auto base = [&] { return std::get<Sinusoidal>(lab.document().layer().position).base; };
  enter(lab, "##position.base", "0.5");
  CHECK(base() == 0.5);
  enter(lab, "##position.base", "1e12");
  CHECK(base() == 1e12);
  enter(lab, "##position.base", "0");
  CHECK(base() == 1e12);
  CHECK(lab.shows("more than 0"));
}

TEST_CASE("the seed box takes every seed exactly") {
  Headless lab({.document = with_dropout(), .size = {1600, 1400}});
  enter(lab, "##dropout_seed", "18446744073709551615");
  CHECK(lab.document().layer().dropout_seed == 18446744073709551615u);
  lab.click_item("dropout_seed-");
  CHECK(lab.document().layer().dropout_seed == 18446744073709551614u);
  enter(lab, "##dropout_seed", "2*3");
  CHECK(lab.document().layer().dropout_seed == 6);
  for (const char* text : {"-1", "0.5", "18446744073709551616"}) {
    enter(lab, "##dropout_seed", text);
    CHECK(lab.document().layer().dropout_seed == 6);
    CHECK(lab.shows("0 or more, whole"));
  }
}

TEST_CASE("temperature and scale take any number that their fields take") {
  Document document = read_document("the-cat-sat-on-mat");
  document.layer().scale = {.mode = ScaleMode::number, .number = 1};
  Headless lab({.document = document});
  enter(lab, "##temperature", "1e30");
  CHECK(lab.document().layer().temperature == 1e30);
  CHECK_FALSE(refused(lab));
  enter(lab, "##temperature", "-1");
  CHECK(lab.shows("it must be 0 or more"));
  enter(lab, "##scale_number", "-1e9");
  CHECK(lab.document().layer().scale.number == -1e9);
  enter(lab, "##scale_number", "inf");
  REQUIRE(refused(lab));
  CHECK(lab.view().field->error == "inf does not fit: it must be a finite number");
}

TEST_CASE("what is refused is forgotten with the next change wherever it comes from") {
  const auto refuse = [](Headless& lab) {
    enter(lab, "##dropout", "1e30");
    REQUIRE(refused(lab));
    CHECK(lab.shows("1e30 does not fit"));
  };
  Headless lab({.document = with_dropout(), .size = {1600, 1400}});
  refuse(lab);
  const ImVec2 at = centre(*lab.item("##dropout"));
  lab.drag(at, {at.x - 40, at.y});
  CHECK_FALSE(refused(lab));
  refuse(lab);
  lab.click_item("tokens+");
  CHECK_FALSE(refused(lab));
  refuse(lab);
  lab.click_item("causal");
  CHECK_FALSE(refused(lab));
  refuse(lab);
  lab.app().open("three-tokens");
  CHECK_FALSE(refused(lab));
  lab.frames(2);
  CHECK_FALSE(lab.shows("does not fit"));
}

TEST_CASE("what is refused can be dismissed and the button says no more than that") {
  Headless lab({.document = with_dropout(), .size = {1600, 1400}});
  enter(lab, "##dropout", "2");
  CHECK_FALSE(lab.shows("leave it"));
  CHECK(lab.find_text("dismiss"));
  lab.click_item("dropout/dismiss");
  CHECK_FALSE(refused(lab));
  CHECK(lab.document().layer().dropout == 0.5);
}
