// The menu of a matrix: every entry does what it says, in one step of the history.
#include <algorithm>

#include "core/edits/edit_fill.h"
#include "tests/app/grid_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

void open_menu(GridLab& lab, const std::string& stage, std::size_t row, std::size_t column) {
  lab.click(lab.at(stage, row, column), 1);
  lab.frames(2);
}

void choose(GridLab& lab, const std::string& text) {
  std::optional<Rect> entry;  // the last one that says so: menus are above everything
  for (const DrawnText& drawn : lab.texts())
    if (drawn.text == text) entry = drawn.box;
  INFO(text);
  REQUIRE(entry);
  lab.click(centre(*entry));
  lab.frames(2);
}

}  // namespace

TEST_CASE("fills with zeros, identity and seeded numbers, each one step") {
  GridLab lab;
  const std::vector<std::pair<std::string, FillKind>> fills{
      {"zeros", FillKind::zeros},
      {"identity", FillKind::identity},
      {"normal, mean 0, deviation 1, seed 1", FillKind::normal},
      {"uniform, 0 to 1, seed 1", FillKind::uniform},
      {"one-hot rows, seed 1", FillKind::one_hot}};
  std::size_t steps = 0;
  for (const auto& [name, kind] : fills) {
    open_menu(lab, "x", 1, 1);
    choose(lab, "Fill 4×4 with");
    choose(lab, name);
    for (const CellValue& c : fill_cells(kind, 1, {{0, 0, 0}, {1, 4, 4}}))
      CHECK(lab.layer().x[c.cell] == c.value);
    CHECK(lab.steps() == ++steps);
    lab.key(GLFW_KEY_ESCAPE);
  }
}

TEST_CASE("a formula of i and j fills the selected block, a wrong one says why") {
  GridLab lab;
  lab.view().grid.fill.formula = "10*i + j";
  lab.hold({.control = true});
  lab.drag(lab.at("x", 1, 1), lab.at("x", 2, 2));
  lab.hold({});
  const float outside = lab.x(0, 0);
  open_menu(lab, "x", 1, 1);
  choose(lab, "Fill 2×2 with");
  choose(lab, "fill by this formula");
  CHECK(lab.x(1, 1) == 11);
  CHECK(lab.x(2, 2) == 22);
  CHECK(lab.x(0, 0) == outside);
  lab.view().grid.fill.formula = "k";
  open_menu(lab, "x", 1, 1);
  choose(lab, "Fill 2×2 with");
  choose(lab, "fill by this formula");
  CHECK(lab.view().grid.fill.error == "\"k\" is no number");
  CHECK(lab.steps() == 1);
}

TEST_CASE("the menu copies, locks, and handles tokens") {
  GridLab lab;
  open_menu(lab, "q", 0, 0);
  choose(lab, "Copy the whole matrix");
  CHECK(std::count(lab.clipboard.begin(), lab.clipboard.end(), '\n') == 4);
  open_menu(lab, "x", 0, 0);
  choose(lab, "Lock the colour range");
  CHECK(lab.view().grid.locked_ranges.size() == 1);
  open_menu(lab, "x", 1, 0);
  choose(lab, "Add a token above");
  CHECK(lab.layer().tokens == Labels{"a", "new", "b", "c", "d"});
  open_menu(lab, "x", 1, 0);
  choose(lab, "Remove “new”");
  CHECK(lab.layer().tokens == Labels{"a", "b", "c", "d"});
  open_menu(lab, "x", 0, 0);
  choose(lab, "Move down");
  CHECK(lab.layer().tokens == Labels{"b", "a", "c", "d"});
}

TEST_CASE("the menu removes all overrides of a stage") {
  GridLab lab;
  for (const std::size_t row : {0, 1}) {
    lab.click(lab.at("scores", row, 0));
    lab.type("3");
    lab.key(GLFW_KEY_ENTER);
  }
  open_menu(lab, "scores", 3, 3);
  choose(lab, "Remove 2 overrides");
  CHECK(lab.document().overrides.empty());
}
