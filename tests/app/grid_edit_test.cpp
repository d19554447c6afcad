// Numbers changed by hand: scrubbed, typed, filled, overridden.
#include <cmath>

#include "tests/app/grid_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

ImVec2 right_of(ImVec2 p, float pixels) {
  return {p.x + pixels, p.y};
}

}  // namespace

TEST_CASE("dragging a cell of x sideways scrubs its number in one step and the weights follow") {
  GridLab lab;
  const float before = lab.x(1, 2), weight = lab.computed("weights", 1, 0);
  lab.drag(lab.at("x", 1, 2), right_of(lab.at("x", 1, 2), 40));
  // The largest number is 1, so that a pixel is a hundredth.
  CHECK(lab.x(1, 2) == before + 0.4f);
  CHECK(lab.computed("weights", 1, 0) != weight);
  CHECK(lab.steps() == 1);
  CHECK(lab.step_name().starts_with("x[1, 2] = "));
  CHECK(!lab.view().grid.drag);
  lab.key(GLFW_KEY_Z, {.control = true});
  CHECK(lab.x(1, 2) == before);
}

TEST_CASE("Shift scrubs ten times finer and Alt ten times coarser") {
  GridLab lab;
  const float start = lab.x(0, 0);
  lab.hold({.shift = true});
  lab.drag(lab.at("x", 0, 0), right_of(lab.at("x", 0, 0), 40));
  CHECK(lab.x(0, 0) == start + 0.04f);
  lab.hold({.alt = true});
  const float middle = lab.x(0, 0);
  lab.drag(lab.at("x", 0, 0), right_of(lab.at("x", 0, 0), 40));
  CHECK(lab.x(0, 0) == middle + 4);
  lab.hold({});
  CHECK(lab.steps() == 2);
}

TEST_CASE("a scrub that comes back leaves no step and a computed cell is not scrubbed") {
  GridLab lab;
  const Document before = lab.document();
  const ImVec2 cell = lab.at("x", 0, 0);
  lab.move(cell);
  lab.press();
  lab.move(right_of(cell, 30));
  CHECK(!(lab.document() == before));
  lab.move(cell);
  lab.release();
  CHECK(lab.document() == before);
  CHECK(lab.steps() == 0);
  lab.drag(lab.at("scores", 0, 0), lab.at("scores", 0, 2));
  CHECK(lab.document() == before);
}

TEST_CASE("Enter opens the selected cell, expressions are taken and Enter goes down") {
  GridLab lab;
  lab.click(lab.at("x", 0, 1));
  lab.key(GLFW_KEY_ENTER);
  lab.type("sqrt(2)/2");
  REQUIRE(lab.view().grid.typing);
  CHECK(lab.view().grid.typing->text == "sqrt(2)/2");
  lab.key(GLFW_KEY_ENTER);
  CHECK(!lab.view().grid.typing);
  CHECK(lab.x(0, 1) == static_cast<float>(std::sqrt(2.0) / 2));
  CHECK(lab.selected() == spot("x", 1, 1));
  CHECK(lab.steps() == 1);
  lab.type("-3");
  lab.key(GLFW_KEY_ENTER);
  CHECK(lab.x(1, 1) == -3);
  CHECK(lab.steps() == 2);
}

TEST_CASE("Tab commits and goes right, Esc reverts") {
  GridLab lab;
  lab.click(lab.at("x", 2, 0));
  lab.type("1e-3");
  lab.frames(2);
  lab.key(GLFW_KEY_TAB);
  CHECK(lab.x(2, 0) == 1e-3f);
  CHECK(lab.selected() == spot("x", 2, 1));
  const float before = lab.x(2, 1);
  lab.type("99");
  lab.key(GLFW_KEY_ESCAPE);
  CHECK(!lab.view().grid.typing);
  CHECK(lab.x(2, 1) == before);
  CHECK(lab.selected() == spot("x", 2, 1));
  CHECK(lab.steps() == 1);
}

TEST_CASE("Tab at the end of a row goes on to the next row, and in the last cell stays") {
  GridLab lab;
  const std::size_t last = lab.layer().x.columns() - 1, rows = lab.layer().x.rows();
  lab.click(lab.at("x", 0, last));
  for (const char* number : {"1", "2"}) {
    lab.type(number);
    lab.frames(2);
    lab.key(GLFW_KEY_TAB);
    lab.frames(2);
  }
  CHECK(lab.x(0, last) == 1);
  CHECK(lab.x(1, 0) == 2);
  CHECK(lab.selected() == spot("x", 1, 1));
  lab.click(lab.at("x", rows - 1, last));
  lab.type("3");
  lab.frames(2);
  lab.key(GLFW_KEY_TAB);
  CHECK(lab.x(rows - 1, last) == 3);
  CHECK(lab.selected() == spot("x", rows - 1, last));
}

TEST_CASE("a double click opens the number that is there, to be replaced") {
  GridLab lab;
  lab.double_click(lab.at("x", 0, 3));
  lab.frames(2);
  REQUIRE(lab.view().grid.typing);
  CHECK(lab.view().grid.typing->text == "0.25");
  lab.type("7");
  CHECK(lab.view().grid.typing->text == "7");
  lab.key(GLFW_KEY_ENTER);
  CHECK(lab.x(0, 3) == 7);
}

TEST_CASE("what is no number stays with its reason until it is one") {
  GridLab lab;
  const Document before = lab.document();
  lab.click(lab.at("x", 0, 0));
  lab.type("2 + ");
  lab.key(GLFW_KEY_ENTER);
  REQUIRE(lab.view().grid.typing);
  CHECK(lab.view().grid.typing->error == "a number is missing");
  CHECK(lab.shows("a number is missing"));
  CHECK(lab.document() == before);
  lab.frames(2);
  lab.type("3");
  CHECK(lab.view().grid.typing->text == "2 + 3");
  CHECK(lab.view().grid.typing->error.empty());
  lab.key(GLFW_KEY_ENTER);
  CHECK(lab.x(0, 0) == 5);
}

TEST_CASE("a click elsewhere takes a number and keeps what is none") {
  GridLab lab;
  lab.click(lab.at("x", 0, 0));
  lab.type("4");
  lab.click(lab.at("x", 2, 2));
  CHECK(lab.x(0, 0) == 4);
  CHECK(lab.selected() == spot("x", 2, 2));
  lab.key(GLFW_KEY_ENTER);
  lab.type("oops");
  lab.click(lab.at("x", 3, 3));
  REQUIRE(lab.view().grid.typing);
  CHECK(lab.view().grid.typing->text == "oops");
  CHECK(lab.selected() == spot("x", 2, 2));
  lab.key(GLFW_KEY_ESCAPE);
  CHECK(!lab.view().grid.typing);
}

TEST_CASE("typing with a block selected fills it in one step") {
  GridLab lab;
  lab.click(lab.at("x", 0, 0));
  lab.hold({.shift = true});
  lab.click(lab.at("x", 1, 2));
  lab.hold({});
  lab.type("0.5");
  lab.key(GLFW_KEY_ENTER);
  for (std::size_t row = 0; row < 2; ++row)
    for (std::size_t column = 0; column < 3; ++column) CHECK(lab.x(row, column) == 0.5f);
  CHECK(lab.x(2, 0) != 0.5f);
  CHECK(lab.x(0, 3) != 0.5f);
  CHECK(lab.steps() == 1);
}

TEST_CASE("nan and inf are numbers to type") {
  GridLab lab;
  lab.click(lab.at("x", 0, 0));
  lab.key(GLFW_KEY_F2);
  lab.type("nan");
  lab.key(GLFW_KEY_ENTER);
  lab.type("-inf");
  lab.key(GLFW_KEY_ENTER);
  CHECK(std::isnan(lab.x(0, 0)));
  CHECK(lab.x(1, 0) == -INFINITY);
}

TEST_CASE("typing into a weight overrides it, marked, and Backspace takes it back") {
  GridLab lab;
  const float before = lab.computed("weights", 2, 1), output = lab.computed("output", 2, 0);
  lab.click(lab.at("weights", 2, 1));
  lab.type("0.9");
  lab.key(GLFW_KEY_ENTER);
  CHECK(is_overridden(lab.document(), "weights", {0, 2, 1}));
  CHECK(lab.computed("weights", 2, 1) == 0.9f);
  CHECK(lab.computed("output", 2, 0) != output);
  CHECK(lab.text_in(lab.cell("weights", 2, 1)) == "0.90");
  CHECK(lab.steps() == 1);
  lab.move(lab.at("weights", 2, 1));
  lab.frames(2);
  CHECK(lab.shows("overridden by you; computed: "));
  lab.click(lab.at("weights", 2, 1));
  lab.key(GLFW_KEY_BACKSPACE);
  CHECK(lab.document().overrides.empty());
  CHECK(lab.computed("weights", 2, 1) == before);
  CHECK(lab.steps() == 2);
}

TEST_CASE("Delete removes every override of the selected block") {
  GridLab lab;
  for (const std::size_t row : {0, 1}) {
    lab.click(lab.at("scores", row, 0));
    lab.type("3");
    lab.key(GLFW_KEY_ENTER);
  }
  CHECK(lab.document().overrides.size() == 2);
  lab.drag(lab.at("scores", 0, 0), lab.at("scores", 2, 2));
  lab.key(GLFW_KEY_DELETE);
  CHECK(lab.document().overrides.empty());
  CHECK(lab.steps() == 3);
}
