// Ctrl and the wheel: what is under the pointer stays there, whatever the canvas shows and wherever it
// stands.
#include <array>
#include <cmath>

#include "app/program/input.h"
#include "tests/app/grid_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

void zoom(Headless& lab, ImVec2 at, float notches) {
  lab.hold({.control = true});
  lab.wheel(at, notches);
  lab.hold({});
  lab.frame();
}

// Where in its matrix, in cells.
ImVec2 place_of(GridLab& lab, const std::string& stage, ImVec2 at) {
  const Rect cell = lab.cell(stage, 0, 0), all = lab.cells(stage);
  return {(at.x - all.min.x) / cell.width(), (at.y - all.min.y) / cell.height()};
}

Document wide(std::size_t tokens) {
  Document document = read_document("the-cat-sat-on-mat");
  while (document.layer().x.rows() < tokens) insert_token(document, document.layer().x.rows(), "t");
  return document;
}

}  // namespace

TEST_CASE("the cell under the pointer stays there through every zoom") {
  constexpr std::array<float, 8> kNotches{1, 1, 3, -2, 4, -5, -1, -3};
  for (const std::size_t tokens : {5, 12})
    for (const char* stage : {"x", "v", "scores", "head_output"}) {
      GridLab lab(wide(tokens));
      const Shape shape = lab.shape_of(stage);
      const ImVec2 at = lab.at(stage, shape.rows - 2, shape.columns - 1);
      for (const float notches : kNotches) {
        const ImVec2 before = place_of(lab, stage, at);
        CAPTURE(std::string(stage));
        CAPTURE(notches);
        zoom(lab, at, notches);
        REQUIRE(lab.item(std::string(stage) + "/cells"));
        const ImVec2 now = place_of(lab, stage, at);
        const Rect cell = lab.cell(stage, 0, 0);
        CHECK(std::abs(now.x - before.x) * cell.width() < 1.5f);  // all lies on whole pixels
        CHECK(std::abs(now.y - before.y) * cell.height() < 1.5f);
        CHECK(lab.view().hovered == spot(stage, shape.rows - 2, shape.columns - 1));
      }
    }
}

TEST_CASE("zooming in and out again ends where it began") {
  GridLab lab;
  const ImVec2 at = lab.at("x", 3, 3);
  const Rect before = lab.cells("x");
  for (int i = 0; i < 5; ++i) zoom(lab, at, 1);
  for (int i = 0; i < 5; ++i) zoom(lab, at, -1);
  CHECK(lab.view().canvas().zoom == 1);
  CHECK(std::abs(lab.cells("x").min.x - before.min.x) < 3);  // whole pixels, ten times
  CHECK(std::abs(lab.cells("x").min.y - before.min.y) < 3);
}

TEST_CASE("a canvas that was zoomed is fitted again by F and never leaves the window") {
  GridLab lab;
  const Rect before = lab.cells("x");
  zoom(lab, lab.at("x", 0, 0), -6);
  lab.view().canvas().scroll_x = lab.view().canvas().scroll_y = 1e6f;
  lab.frames(2);
  CHECK(lab.view().canvas().scroll_x < 5000);
  lab.key(GLFW_KEY_F);
  lab.frames(2);
  CHECK(lab.cells("x").min.x == before.min.x);
  CHECK(lab.cells("x").min.y == before.min.y);
}

TEST_CASE("the zoom belongs to the document") {
  GridLab lab;
  zoom(lab, lab.at("x", 0, 0), 4);
  const float zoomed = lab.view().canvas().zoom, scrolled = lab.view().canvas().scroll_x;
  CHECK(zoomed > 1.5f);
  lab.app().open("three-tokens");
  lab.settle();
  CHECK(lab.view().canvas().zoom == 1);
  CHECK(lab.view().canvas().scroll_x == 0);
  zoom(lab, lab.at("q", 0, 0), -2);
  lab.app().undo();
  CHECK(lab.view().canvas().zoom == zoomed);
  CHECK(lab.view().canvas().scroll_x == scrolled);
  lab.app().redo();
  CHECK(lab.view().canvas().zoom < 1);
}

TEST_CASE("a scale that is given for the run is taken whatever the monitor and the settings say") {
  GridLab lab(small_document(), {1600, 1000}, 1.5f);
  lab.view().settings.ui_scale = 2;
  lab.view().ui_scale = 1;
  lab.frames(2);
  CHECK(lab.theme().scale == 1);
  lab.key(GLFW_KEY_EQUAL, {.control = true});
  CHECK(lab.theme().scale > 1);
  CHECK(lab.view().settings.ui_scale == 2);  // the run's alone
  lab.key(GLFW_KEY_0, {.control = true});
  CHECK(lab.theme().scale == 1.5f);
}
