// The stage bar: chips, transport, keys and playing lead to the same step; the status line follows.
#include <doctest/doctest.h>

#include <GLFW/glfw3.h>

#include "app/canvas/steps.h"
#include "app/host/headless.h"
#include "app/program/input.h"
#include "tests/layers.h"

using namespace attn;
using namespace attn::tests;

namespace {

std::string current(Headless& lab) {
  const std::vector<StepChip> steps = graph_steps(lab.results()->graph, lab.view());
  const auto place = place_of(steps, lab.view().canvas().step);
  return place ? steps[*place].title : "none";
}

Document causal_layer() {
  Document document = read_document("the-cat-sat-on-mat");
  set_causal(document.layer(), CausalAlign::lower_right);
  return document;
}

}  // namespace

TEST_CASE("a chip jumps to its stage and a second click shows everything again") {
  Headless lab({.document = causal_layer()});
  lab.click_item("step scaled");
  CHECK(current(lab) == "scaled");
  CHECK(lab.shows("step 5 of 8"));
  lab.click_item("step scaled");
  CHECK(current(lab) == "none");
}

TEST_CASE("the arrow keys and Home and End and the transport step through the stages") {
  Headless lab({.document = causal_layer()});
  lab.key(GLFW_KEY_HOME);
  CHECK(current(lab) == "X");
  lab.key(GLFW_KEY_RIGHT);
  CHECK(current(lab) == "+ position");
  lab.key(GLFW_KEY_LEFT);
  CHECK(current(lab) == "X");
  lab.key(GLFW_KEY_END);
  CHECK(current(lab) == "output");
  lab.click_item("stages/back");
  CHECK(current(lab) == "weights");
  lab.click_item("stages/forward");
  CHECK(current(lab) == "output");
}

TEST_CASE("Space plays and pauses") {
  Headless lab({.document = causal_layer()});
  lab.key(GLFW_KEY_SPACE);
  CHECK(lab.view().canvas().playing);
  CHECK(lab.app().animating());
  lab.frames(70);
  CHECK(current(lab) == "+ position");
  lab.key(GLFW_KEY_SPACE);
  CHECK_FALSE(lab.view().canvas().playing);
}

TEST_CASE("the softmax chip opens the softmax into matrices") {
  Headless lab({.document = causal_layer(), .size = {2560, 1440}});
  CHECK_FALSE(lab.find_text("row max"));
  lab.click_item("softmax");
  CHECK(lab.view().layer.open_softmax);
  lab.frames(2);
  CHECK(lab.find_text("row max"));
  lab.click_item("step exp");
  CHECK(current(lab) == "exp");
}

TEST_CASE("a message takes the status line until the next step") {
  Headless lab({.document = causal_layer()});
  lab.app().say("saved");
  lab.frames(2);
  CHECK(lab.shows("saved"));
  lab.key(GLFW_KEY_HOME);
  CHECK_FALSE(lab.shows("saved"));
}
