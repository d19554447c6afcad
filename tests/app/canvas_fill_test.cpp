// One matrix alone on the canvas: by a double-click, by a key, and back again.
#include "app/program/input.h"
#include "tests/app/grid_lab.h"
#include "tests/app/odd_documents.h"

using namespace attn;
using namespace attn::tests;

namespace {

Rect title_of(const GridLab& lab, const std::string& stage) {
  const auto box = lab.item(stage + "/title");
  INFO(stage);
  REQUIRE(box);
  return *box;
}

bool is_alone(const GridLab& lab, const std::string& stage) {
  std::size_t matrices = 0;
  for (const Item& item : lab.items()) matrices += item.path.ends_with("/cells");
  return matrices == 1 && lab.item(stage + "/cells").has_value();
}

}  // namespace

TEST_CASE("a double-click on a matrix without numbers fills the canvas and another goes back") {
  GridLab lab(projected(200, 16, 2));
  const Rect canvas = *lab.item("empty");
  const Rect before = lab.cells("weights");
  lab.double_click(lab.at("weights", 50, 50));
  lab.frames(2);
  CHECK(is_alone(lab, "weights"));
  CHECK(lab.cells("weights").width() > 0.85f * canvas.width());
  CHECK(lab.cells("weights").height() > 0.85f * canvas.height());
  lab.double_click(lab.at("weights", 60, 60));
  lab.frames(2);
  CHECK(lab.cells("weights").width() == before.width());
}

TEST_CASE("a filled matrix goes back by Esc before the number is let go") {
  GridLab lab(projected(200, 16, 2));
  lab.double_click(lab.at("weights", 50, 50));
  lab.frames(2);
  lab.key(GLFW_KEY_ESCAPE);
  lab.frames(2);
  CHECK_FALSE(is_alone(lab, "weights"));
  CHECK(lab.view().pinned);
  lab.key(GLFW_KEY_ESCAPE);
  CHECK_FALSE(lab.view().pinned);
}

TEST_CASE("Z and then Esc returns to where one was") {
  GridLab lab(projected(64, 16, 2));
  CanvasView& canvas = lab.view().canvas();
  canvas.zoom = 1.5f, canvas.scroll_x = 40, canvas.scroll_y = 60, canvas.loose = true;
  lab.frames(2);
  const Viewport before = canvas;
  lab.click(lab.at("q", 3, 3));
  for (const int back : {GLFW_KEY_ESCAPE, GLFW_KEY_Z}) {
    lab.key(GLFW_KEY_Z);
    lab.frames(2);
    CHECK(is_alone(lab, "q"));
    lab.key(back);
    lab.frames(2);
    CHECK(canvas.filled.empty());
    CHECK(canvas.zoom == before.zoom);
    CHECK(canvas.scroll_x == before.scroll_x);
    CHECK(canvas.scroll_y == before.scroll_y);
  }
}

TEST_CASE("a double-click on a title fills the canvas with that matrix also where it has numbers") {
  GridLab lab;
  for (const char* stage : {"x", "scores"}) {
    lab.double_click(centre(title_of(lab, stage)));
    lab.frames(2);
    CHECK(is_alone(lab, stage));
    CHECK_FALSE(lab.view().grid.typing);
    lab.double_click(centre(title_of(lab, stage)));
    lab.frames(2);
    CHECK_FALSE(is_alone(lab, stage));
  }
}

TEST_CASE("a double-click on a number still opens it for typing") {
  GridLab lab;
  for (const char* stage : {"x", "scores"}) {
    lab.double_click(lab.at(stage, 1, 1));
    CHECK(lab.view().grid.typing);
    CHECK(lab.view().canvas().filled.empty());
    lab.key(GLFW_KEY_ESCAPE);
  }
}

TEST_CASE("F brings all matrices back and Z fills with the pinned one") {
  GridLab lab(projected(64, 16, 2));
  lab.click(lab.at("q", 3, 3));
  lab.key(GLFW_KEY_Z);
  lab.frames(2);
  CHECK(is_alone(lab, "q"));
  lab.key(GLFW_KEY_F);
  lab.frames(2);
  CHECK_FALSE(is_alone(lab, "q"));
}

TEST_CASE("stepping goes from one filled matrix to the next") {
  GridLab lab(projected(64, 16, 2));
  lab.double_click(lab.at("q", 3, 3));
  lab.frames(2);
  lab.key(GLFW_KEY_HOME);
  lab.frames(20);
  CHECK(is_alone(lab, "x"));
  lab.key(GLFW_KEY_RIGHT);
  lab.frames(20);
  CHECK_FALSE(is_alone(lab, "x"));
}

TEST_CASE("a filled matrix that the layer no longer has gives the canvas back") {
  GridLab lab;  // has a causal mask
  lab.double_click(centre(title_of(lab, "masked")));
  lab.frames(2);
  CHECK(is_alone(lab, "masked"));
  Document document = lab.document();
  document.layer().masks.clear();
  lab.app().change(document);
  lab.settle();
  CHECK(lab.view().canvas().filled.empty());
  CHECK(lab.item("x/cells"));
}
