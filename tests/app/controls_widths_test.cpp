// The widths of a layer's heads in its controls: typed, stepped, and dragged along a track.
#include <doctest/doctest.h>

#include <GLFW/glfw3.h>

#include "app/program/input.h"
#include "core/edits/edit.h"
#include "tests/app/controls_lab.h"
#include "tests/app/grid_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

void drag_track(Headless& lab, const char* track, float to) {
  REQUIRE(lab.reveal(track));
  const auto box = lab.item(track);
  REQUIRE(box);
  const ImVec2 from = centre(*box);
  lab.drag(from, {box->min.x + to * box->width(), from.y});
  lab.settle();
}

}  // namespace

TEST_CASE("d_k and d_v are free of the width of the layer and of each other") {
  GridLab lab;
  enter(lab, "##d_k", "3");
  enter(lab, "##d_v", "7");
  lab.click_item("d_v-");
  lab.settle();
  CHECK(lab.layer().w_q.shape() == Shape{1, 4, 3});
  CHECK(lab.layer().w_k.shape() == Shape{1, 4, 3});
  CHECK(lab.layer().w_v.shape() == Shape{1, 4, 6});
  CHECK(lab.results()->output(Role::query).columns() == 3);
  CHECK(lab.results()->output("head_output").columns() == 6);
  CHECK(lab.step_name() == "resize w_v to 4×6");
  CHECK(lab.steps() == 3);
}

TEST_CASE("d_q has a row of its own where the score lets queries and keys differ") {
  GridLab lab;
  CHECK_FALSE(lab.item("##d_q"));
  choose(lab, "scoring", "additive");
  enter(lab, "##d_q", "3");
  CHECK(lab.layer().w_q.shape() == Shape{1, 4, 3});
  CHECK(lab.layer().w_k.shape() == Shape{1, 4, 4});
  CHECK(lab.layer().score_w_q.columns() == 3);
  enter(lab, "##d_k", "6");
  CHECK(lab.layer().w_q.shape() == Shape{1, 4, 3});
  CHECK(lab.layer().w_k.shape() == Shape{1, 4, 6});
  CHECK(lab.results()->output(Role::query).columns() == 3);
  CHECK(lab.app().engine_state().error.empty());
}

TEST_CASE("given queries and keys have widths of their own where the score lets them differ") {
  Document document;
  document.layer().direct = true;
  document.layer().q = document.layer().k = document.layer().v = Tensor({1, 2, 2}, {1, 2, 3, 4});
  document.layer().scoring = Scoring::general;
  GridLab lab(document);
  enter(lab, "##d_q", "5");
  CHECK(lab.layer().q.shape() == Shape{1, 2, 5});
  CHECK(lab.layer().k.shape() == Shape{1, 2, 2});
  CHECK(lab.results()->output("scores").shape() == Shape{1, 2, 2});
}

TEST_CASE("a score that needs equal widths is refused with those that would do and taken with one of them") {
  GridLab lab;
  choose(lab, "scoring", "general");
  enter(lab, "##d_q", "3");
  choose(lab, "scoring", "cosine");
  CHECK(lab.layer().scoring == Scoring::general);
  CHECK(lab.shows("queries are 3 wide and keys 4"));
  lab.click_item("use 3");
  lab.settle();
  CHECK(lab.layer().scoring == Scoring::cosine);
  CHECK(query_width(lab.layer()) == 3);
  CHECK(key_width(lab.layer()) == 3);
  CHECK_FALSE(lab.item("##d_q"));
}

TEST_CASE("d_k is dragged from 1 to 256 in one step") {
  Document document = small_document();
  GridLab lab(document);
  drag_track(lab, "##d_k slider", 0);
  CHECK(key_width(lab.layer()) == 1);
  drag_track(lab, "##d_k slider", 1);
  CHECK(key_width(lab.layer()) == 256);
  CHECK(lab.steps() == 2);
  CHECK(lab.app().engine_state().error.empty());
  lab.key(GLFW_KEY_Z, {.control = true});
  lab.settle();
  CHECK(key_width(lab.layer()) == 1);
}

TEST_CASE("with RoPE the track of d_k goes from one even width to the next") {
  Document document = small_document();
  document.layer().position = Rotary();
  GridLab lab(document);
  for (const float to : {0.2f, 0.37f, 0.61f, 0.83f, 0.9f}) {
    drag_track(lab, "##d_k slider", to);
    CHECK(key_width(lab.layer()) % 2 == 0);
    CHECK(lab.app().engine_state().error.empty());
  }
}

TEST_CASE("three tokens in two dimensions with given queries of width 2 are typed in by keys") {
  Document document;
  document.layer().direct = true;
  document.layer().q = document.layer().k = document.layer().v = Tensor({1, 1, 1}, {0});
  GridLab lab(document);
  enter(lab, "##tokens", "3");
  enter(lab, "##d_k", "2");
  enter(lab, "##d_v", "2");
  for (const char* stage : {"q", "k", "v"}) {
    lab.click(lab.at(stage, 0, 0));
    for (const char* row : {"1", "0"}) {
      lab.type(row);
      lab.key(GLFW_KEY_ENTER);
      lab.frames(1);
    }
    lab.type("-1");
    lab.key(GLFW_KEY_ENTER);
    lab.settle();
  }
  for (const Tensor* given : {&lab.layer().q, &lab.layer().k, &lab.layer().v}) {
    REQUIRE(given->shape() == Shape{1, 3, 2});
    CHECK((*given)[{0, 0, 0}] == 1);
    CHECK((*given)[{0, 1, 0}] == 0);
    CHECK((*given)[{0, 2, 0}] == -1);
  }
}
