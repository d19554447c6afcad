// What belongs to every frame, whatever a workspace draws in it.
#include <GLFW/glfw3.h>
#include <doctest/doctest.h>

#include "app/canvas/steps.h"
#include "app/host/headless.h"
#include "app/layer/layer_blocks.h"
#include "app/layer/layer_controls.h"
#include "app/program/input.h"
#include "core/positions/graph.h"
#include "tests/graphs.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("Esc, the end of a drag and patience need no grid") {
  static constexpr std::array kEmpty{
      Workspace{kLayerPlan, "Empty", nullptr, nullptr, [](Frame&, Rect) {}, nullptr, nullptr}};
  Headless lab({.document = read_document(kStartExample), .workspaces = kEmpty});
  lab.view().pinned = Spot{"scores", {0, 1, 1}};
  lab.frames(2);
  lab.key(GLFW_KEY_ESCAPE);
  CHECK_FALSE(lab.view().pinned);
  lab.press();
  lab.view().grid.drag = Drag{};
  lab.release();
  lab.frames(2);
  CHECK_FALSE(lab.view().grid.drag);
  CHECK(lab.view().busy_for == 0);
}

TEST_CASE("tokens removed in one workspace take along what was typed over them in another") {
  static constexpr std::array kTwo{
      Workspace{kLayerPlan, "Pipeline", graph_steps, draw_layer_controls, draw_layers, nullptr, nullptr},
      Workspace{kOneAfterOther, "Twice", graph_steps, nullptr, draw_layers, nullptr, nullptr}};
  Headless lab({.document = read_document("the-cat-sat-on-mat-two-heads"), .workspaces = kTwo});
  Document document = lab.document();
  attn::set_number(document, kTwo[1], "b.weights", {1, 4, 4}, 0.5f);
  lab.app().change(document);
  lab.settle();
  REQUIRE(lab.document().overrides.size() == 1);
  lab.view().pinned.reset();
  lab.click_item("##tokens");
  lab.frames(2);
  lab.type("4");
  lab.key(GLFW_KEY_ENTER);
  lab.settle();
  CHECK(lab.document().layer().x.rows() == 4);
  CHECK(lab.document().overrides.empty());
}

TEST_CASE("a workspace without room for a tab stands under More and is shown from there") {
  Headless lab({.document = read_document(kStartExample), .size = {1024, 640}, .scale = 2});
  const std::string last(workspaces().back().title), first(workspaces().front().title);
  REQUIRE(lab.find_text(first));
  REQUIRE(lab.find_text("More"));
  CHECK_FALSE(lab.find_text(last));
  const auto badge = lab.item("device");
  REQUIRE(badge);
  CHECK(badge->min.x >= lab.find_text("More")->max.x);
  CHECK(badge->max.x <= 1024);
  lab.click(centre(*lab.find_text("More")));
  lab.frame();
  REQUIRE(lab.find_text(last));
  lab.click(centre(*lab.find_text(last)));
  lab.settle();
  CHECK(lab.view().workspace == &workspaces().back());
  CHECK(lab.find_text(last));
  CHECK_FALSE(lab.find_text(first));
  lab.resize({2800, 640});  // here both have room
  CHECK(lab.find_text(first));
  CHECK_FALSE(lab.find_text("More"));
}

TEST_CASE("a number in a narrow column is written out and the buttons that step it give way") {
  Headless lab({.document = read_document(kStartExample), .size = {1024, 640}, .scale = 2});
  lab.app().show(*std::ranges::find(workspaces(), kPositionsPlan.name, &Workspace::name));
  lab.settle();
  Document changed = lab.document();
  changed.positions.length = 2048;
  lab.app().change(changed);
  lab.settle();
  CHECK(lab.reveal("##positions.length"));
  CHECK(lab.find_text("2048"));
}
