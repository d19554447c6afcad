// Keys on a selected cell: what begins a number opens it, every other key keeps its one meaning.
#include <algorithm>
#include <set>

#include "app/program/input.h"
#include "tests/app/grid_lab.h"
#include "tests/sanitized.h"

using namespace attn;
using namespace attn::tests;

namespace {

// A key as a keyboard sends it: with its character.
void press(GridLab& lab, int key, const char* character) {
  lab.key(key);
  lab.type(character);
}

GridLab two_heads_grid() {
  return GridLab(read_document("the-cat-sat-on-mat-two-heads"));
}

void let_go(Headless& lab) {
  for (int i = 0; i < 4; ++i) lab.key(GLFW_KEY_ESCAPE);
}

// Every second item of the window, from the first or the second on.
void check_space_plays(std::size_t first) {
  std::set<std::string> paths;
  {
    const GridLab lab = two_heads_grid();
    for (const Item& item : lab.items()) paths.insert(item.path);
  }
  CHECK(paths.size() > 40);
  std::size_t number = first;
  for (const std::string& path : paths) {
    if (path.ends_with("play") || number++ % (kSanitized ? 8 : 2) != 0) continue;
    GridLab lab = two_heads_grid();
    const auto box = lab.item(path);
    if (!box || box->min.x < 0 || box->max.x > 1600 || box->max.y > 1000) continue;
    lab.click(centre(*box));
    let_go(lab);
    if (lab.view().canvas().playing) continue;  // the click was on what plays
    lab.key(GLFW_KEY_SPACE);
    CHECK_MESSAGE(lab.view().canvas().playing, path);
  }
}

}  // namespace

TEST_CASE("a digit or sign or point opens the selected cell and no other character does") {
  for (const char* first : {"0", "7", ".", "-", "+", "−"}) {
    GridLab lab;
    lab.click(lab.at("x", 1, 1));
    lab.type(first);
    CAPTURE(first);
    REQUIRE(lab.view().grid.typing);
    CHECK(lab.view().grid.typing->text == first);
  }
  for (const char* first : {"f", "F", "a", "s", "e", "(", "=", "?", " ", "é"}) {
    GridLab lab;
    lab.click(lab.at("x", 1, 1));
    lab.type(first);
    CAPTURE(first);
    CHECK_FALSE(lab.view().grid.typing);
  }
}

TEST_CASE("F fits the canvas and A shows all stages also while a cell is selected") {
  GridLab lab;
  lab.key(GLFW_KEY_HOME);
  lab.click(lab.at("x", 1, 1));
  lab.view().canvas().zoom = 1.3f;
  press(lab, GLFW_KEY_F, "f");
  CHECK(lab.view().canvas().zoom == 1);
  CHECK(lab.view().canvas().step);
  press(lab, GLFW_KEY_A, "a");
  CHECK_FALSE(lab.view().canvas().step);
  CHECK_FALSE(lab.view().grid.typing);
  CHECK(lab.steps() == 0);
}

TEST_CASE("a digit switches a head only while no cell is selected and with Alt always") {
  GridLab lab = two_heads_grid();
  lab.click(lab.at("x", 1, 1));
  press(lab, GLFW_KEY_2, "2");
  REQUIRE(lab.view().grid.typing);
  CHECK(lab.view().grid.typing->text == "2");
  CHECK(lab.layer().muted_heads.empty());
  lab.key(GLFW_KEY_ESCAPE);
  lab.key(GLFW_KEY_2, {.alt = true});
  CHECK(lab.layer().muted_heads == std::vector<std::size_t>{0});
  let_go(lab);
  press(lab, GLFW_KEY_1, "1");
  CHECK(lab.layer().muted_heads.empty());
  CHECK_FALSE(lab.view().grid.typing);
}

TEST_CASE("the key sheet and the status line say what digits do where") {
  GridLab lab(read_document("the-cat-sat-on-mat-two-heads"), {1600, 1000});
  CHECK(lab.shows("1–2 heads"));
  lab.click(lab.at("x", 1, 1));
  CHECK(lab.shows("type a number"));
  CHECK_FALSE(lab.shows("1–2 heads"));
  lab.type("?");
  lab.frames(2);
  for (const std::string words : {"0–9 . − +", "Head 0 on or off", "All stages at full", "F2"})
    CHECK_MESSAGE(lab.shows(words), words);
}

TEST_CASE("Enter after Tab goes down to the column where the first was typed") {
  GridLab lab;
  lab.click(lab.at("x", 1, 1));
  for (const char* number : {"1", "2"}) {
    lab.type(number);
    lab.key(GLFW_KEY_TAB);
  }
  CHECK(lab.selected() == spot("x", 1, 3));
  lab.type("3");
  lab.key(GLFW_KEY_ENTER);
  CHECK(lab.x(1, 1) == 1);
  CHECK(lab.x(1, 3) == 3);
  CHECK(lab.selected() == spot("x", 2, 1));
  lab.type("4");
  lab.key(GLFW_KEY_ENTER);
  CHECK(lab.selected() == spot("x", 3, 1));
}

TEST_CASE("a Tab of long ago does not lead Enter astray") {
  GridLab lab;
  lab.click(lab.at("x", 0, 0));
  lab.type("1");
  lab.key(GLFW_KEY_TAB);
  lab.click(lab.at("x", 1, 2));
  lab.type("2");
  lab.key(GLFW_KEY_ENTER);
  CHECK(lab.selected() == spot("x", 2, 2));
}

TEST_CASE("Space plays whatever was clicked before" * doctest::test_suite("unsanitized")) {
  check_space_plays(0);
}

TEST_CASE("Space plays whatever else was clicked before" * doctest::test_suite("unsanitized")) {
  check_space_plays(1);
}

TEST_CASE("Space plays after an entry of a list or a menu was clicked and after a number was typed") {
  GridLab lab = two_heads_grid();
  const auto plays = [&](const char* after) {
    lab.key(GLFW_KEY_SPACE);
    CHECK_MESSAGE(lab.view().canvas().playing, after);
    lab.key(GLFW_KEY_SPACE);
    CHECK_FALSE_MESSAGE(lab.view().canvas().playing, after);
  };
  lab.click_item("scale");
  lab.frames(2);
  lab.click_item("off");
  lab.settle();
  REQUIRE(lab.layer().scale.mode == ScaleMode::none);
  plays("a list");
  lab.click(centre(*lab.find_text("View")));
  lab.frames(2);
  lab.click(centre(*lab.find_text("Reduce motion")));
  lab.frames(2);
  REQUIRE(lab.view().settings.reduce_motion);
  plays("a menu");
  lab.click_item("##tokens");
  lab.frames(2);
  lab.type("4");
  lab.key(GLFW_KEY_ENTER);
  lab.click(lab.at("x", 1, 1));
  lab.type("2");
  lab.key(GLFW_KEY_ENTER);
  plays("a number in a cell");
  for (int i = 0; i < 3; ++i) lab.key(GLFW_KEY_TAB);
  const Rect canvas = *lab.item("empty");
  lab.click({canvas.max.x - 14, canvas.max.y - 30});
  plays("empty canvas while the focus was shown");
}

TEST_CASE("Space plays while a cell is selected by mouse or by Tab") {
  GridLab lab;
  lab.click(lab.at("x", 1, 1));
  press(lab, GLFW_KEY_SPACE, " ");
  CHECK(lab.view().canvas().playing);
  press(lab, GLFW_KEY_SPACE, " ");
  CHECK_FALSE(lab.view().canvas().playing);
  let_go(lab);
  for (int i = 0; i < 80 && !(lab.selected() == spot("x", 0, 0)); ++i) lab.key(GLFW_KEY_TAB);
  REQUIRE(lab.selected() == spot("x", 0, 0));
  press(lab, GLFW_KEY_SPACE, " ");
  CHECK(lab.view().canvas().playing);
}
