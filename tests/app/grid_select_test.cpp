// Reading a matrix: hover, pin, select, move about.
#include <algorithm>

#include "tests/app/grid_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

Region selected_block(GridLab& lab) {
  const Selection& s = *lab.view().grid.selection;
  const Cell a = s.anchor.cell, b = s.cursor;
  return {{a.head, std::min(a.row, b.row), std::min(a.column, b.column)},
          {a.head + 1, std::max(a.row, b.row) + 1, std::max(a.column, b.column) + 1}};
}

}  // namespace

TEST_CASE("the pointer says which number it is on and leaves it again") {
  GridLab lab;
  lab.move(lab.at("scores", 2, 1));
  CHECK(lab.view().hovered == spot("scores", 2, 1));
  CHECK(lab.view().focus() == spot("scores", 2, 1));
  lab.move({5, 500});
  CHECK(!lab.view().hovered);
}

TEST_CASE("a click pins and Esc unpins") {
  GridLab lab;
  lab.click(lab.at("weights", 2, 0));
  CHECK(lab.view().pinned == spot("weights", 2, 0));
  lab.move(lab.at("x", 0, 0));
  CHECK(lab.view().focus() == spot("weights", 2, 0));
  lab.key(GLFW_KEY_ESCAPE);
  CHECK(!lab.view().pinned);
  CHECK(!lab.view().grid.selection);
  CHECK(lab.steps() == 0);
}

TEST_CASE("Esc closes what is open before it unpins") {
  GridLab lab;
  lab.click(lab.at("x", 1, 1));
  lab.type("5");
  lab.key(GLFW_KEY_ESCAPE);
  CHECK(!lab.view().grid.typing);
  CHECK(lab.view().pinned == spot("x", 1, 1));
  lab.click(lab.at("x", 1, 1), 1);
  lab.frames(2);
  CHECK(lab.shows("Copy the whole matrix"));
  lab.key(GLFW_KEY_ESCAPE);
  lab.frames(2);
  CHECK(!lab.shows("Copy the whole matrix"));
  CHECK(lab.view().pinned == spot("x", 1, 1));
  lab.key(GLFW_KEY_ESCAPE);
  CHECK(!lab.view().pinned);
}

TEST_CASE("arrows move the selected cell and what is pinned, and stop at the edges") {
  GridLab lab;
  lab.click(lab.at("x", 0, 0));
  lab.key(GLFW_KEY_DOWN);
  lab.key(GLFW_KEY_RIGHT);
  CHECK(lab.selected() == spot("x", 1, 1));
  CHECK(lab.view().pinned == spot("x", 1, 1));
  lab.key(GLFW_KEY_UP);
  lab.key(GLFW_KEY_UP);
  CHECK(lab.selected() == spot("x", 0, 1));
  lab.key(GLFW_KEY_RIGHT, {.control = true});
  CHECK(lab.selected() == spot("x", 0, 3));
  lab.key(GLFW_KEY_RIGHT);
  CHECK(lab.selected() == spot("x", 0, 3));
  CHECK(!lab.view().canvas().step);  // the stages stay where they are
}

TEST_CASE("without a selected cell the arrows belong to the stages") {
  GridLab lab;
  lab.click(lab.at("x", 0, 0));
  lab.key(GLFW_KEY_ESCAPE);
  lab.key(GLFW_KEY_RIGHT);
  CHECK(lab.view().canvas().step.has_value());
  CHECK(!lab.view().grid.selection);
}

TEST_CASE("Shift with arrows or a click selects a block, Ctrl+A all") {
  GridLab lab;
  lab.click(lab.at("x", 1, 1));
  lab.key(GLFW_KEY_DOWN, {.shift = true});
  lab.key(GLFW_KEY_RIGHT, {.shift = true});
  CHECK(selected_block(lab) == Region{{0, 1, 1}, {1, 3, 3}});
  lab.hold({.shift = true});
  lab.click(lab.at("x", 0, 0));
  lab.hold({});
  CHECK(selected_block(lab) == Region{{0, 0, 0}, {1, 2, 2}});
  lab.key(GLFW_KEY_A, {.control = true});
  CHECK(selected_block(lab) == Region{{0, 0, 0}, {1, 4, 4}});
}

TEST_CASE("Ctrl with a drag selects a block of an input, a plain drag one of a computed matrix") {
  GridLab lab;
  const Document before = lab.document();
  lab.hold({.control = true});
  lab.drag(lab.at("x", 0, 1), lab.at("x", 2, 3));
  lab.hold({});
  CHECK(selected_block(lab) == Region{{0, 0, 1}, {1, 3, 4}});
  lab.drag(lab.at("weights", 1, 0), lab.at("weights", 3, 2));
  CHECK(selected_block(lab) == Region{{0, 1, 0}, {1, 4, 3}});
  CHECK(lab.document() == before);
}

TEST_CASE("labels of rows and columns select them") {
  GridLab lab;
  lab.drag(centre(*lab.item("scores/1/column")), centre(*lab.item("scores/2/column")));
  CHECK(selected_block(lab) == Region{{0, 0, 1}, {1, 4, 3}});
  lab.drag(centre(*lab.item("scores/0/row")), centre(*lab.item("scores/2/row")));
  CHECK(selected_block(lab) == Region{{0, 0, 0}, {1, 3, 4}});
  lab.click(centre(*lab.item("x/2/row")));
  CHECK(selected_block(lab) == Region{{0, 2, 0}, {1, 3, 4}});
}

TEST_CASE("by keyboard alone: Tab to x, arrows to a cell, a number, and a weight has changed") {
  GridLab lab;
  const float weight = lab.computed("weights", 1, 0);
  for (int i = 0; i < 80 && !(lab.selected() == spot("x", 0, 0)); ++i) lab.key(GLFW_KEY_TAB);
  REQUIRE(lab.selected() == spot("x", 0, 0));
  lab.key(GLFW_KEY_DOWN);
  lab.type("2.5");
  lab.key(GLFW_KEY_ENTER);
  CHECK(lab.x(1, 0) == 2.5f);
  CHECK(lab.computed("weights", 1, 0) != weight);
}

TEST_CASE("undo takes a selection away that lost its cells") {
  GridLab lab;
  lab.click_item("x/add token");
  CHECK(lab.layer().x.rows() == 5);
  lab.click(lab.at("x", 4, 0));
  CHECK(lab.view().pinned == spot("x", 4, 0));
  lab.key(GLFW_KEY_Z, {.control = true});
  lab.frames(2);
  CHECK(lab.layer().x.rows() == 4);
  CHECK(!lab.view().grid.selection);
  CHECK(!lab.view().pinned);
}
