// Flash attention tile by tile as a person uses it: tiles clicked, dragged over, stepped and played; the row
// that is followed; numbers against the softmax by plain loops.
#include <cmath>

#include "app/inspector/inspector_numbers.h"
#include "tests/app/efficient_tiles_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

std::string four(double value) {
  return inspector::write(value, {4, false});
}

}  // namespace

TEST_CASE("a tile is clicked and computed now; the row that is followed goes along") {
  TilesLab lab;
  CHECK(lab.shows("6 of 16 tiles are masked: skipped"));
  CHECK(lab.on_tile("2, 1", 9));
  CHECK(lab.find_text("tile 5 of 10"));
  lab.click(lab.tile(3, 2));
  lab.frames(2);
  CHECK(lab.on_tile("3, 2", 13));
  CHECK(lab.find_text("tile 9 of 10"));
  CHECK(lab.find_text("row 13"));
  lab.click(lab.tile(1, 3));  // skipped: the nearest of its row
  lab.frames(2);
  CHECK(lab.on_tile("1, 1", 5));
  CHECK(lab.steps() == 0);
}

TEST_CASE("the tiles are dragged over") {
  TilesLab lab;
  lab.move(lab.tile(3, 0));
  lab.press();
  lab.frames(2);
  CHECK(lab.on_tile("3, 0", 13));
  lab.move(lab.tile(3, 3));
  lab.frames(2);
  CHECK(lab.on_tile("3, 3", 13));
  lab.move(lab.tile(2, 0));
  lab.release();
  lab.frames(2);
  CHECK(lab.at().tile_column == 0);
}

TEST_CASE("arrows go from tile to tile in the kernel's order, and from row to row") {
  TilesLab lab;
  lab.press_key(GLFW_KEY_RIGHT);
  CHECK(lab.on_tile("2, 2", 9));
  lab.press_key(GLFW_KEY_RIGHT);
  CHECK(lab.on_tile("3, 0", 13));
  lab.press_key(GLFW_KEY_LEFT);
  CHECK(lab.on_tile("2, 2", 9));
  lab.press_key(GLFW_KEY_DOWN);
  CHECK(lab.on_tile("2, 2", 10));
  lab.press_key(GLFW_KEY_UP);
  lab.press_key(GLFW_KEY_UP);
  lab.press_key(GLFW_KEY_UP);
  CHECK(lab.on_tile("1, 1", 7));
  lab.at().row = 0, lab.at().tile_column = 0;
  lab.press_key(GLFW_KEY_LEFT);
  lab.press_key(GLFW_KEY_UP);
  CHECK(lab.on_tile("0, 0", 0));
  lab.at().row = 15, lab.at().tile_column = 3;
  lab.press_key(GLFW_KEY_RIGHT);
  lab.press_key(GLFW_KEY_DOWN);
  CHECK(lab.on_tile("3, 3", 15));
  CHECK_FALSE(lab.shows("← → step"));
  CHECK(lab.find_text("← → tile · ↑ ↓ row"));
}

TEST_CASE("Space plays the tiles and goes round at the end") {
  TilesLab lab;
  lab.at().row = 13, lab.at().tile_column = 2;
  lab.press_key(GLFW_KEY_SPACE);
  lab.frames(34);
  CHECK(lab.on_tile("3, 3", 13));
  lab.frames(34);
  CHECK(lab.on_tile("0, 0", 1));
  lab.press_key(GLFW_KEY_SPACE);
  lab.frames(34);
  CHECK(lab.on_tile("0, 0", 1));
}

TEST_CASE("Space plays after a tile was clicked and Esc let go") {
  TilesLab lab;
  lab.click(lab.tile(3, 2));
  lab.press_key(GLFW_KEY_ESCAPE);
  lab.frames(2);
  CHECK(lab.on_tile("3, 2", 13));
  lab.press_key(GLFW_KEY_SPACE);
  lab.frames(34);
  CHECK(lab.on_tile("3, 3", 13));
}

TEST_CASE("the arrows of an open list move no tile and no row") {
  TilesLab lab;
  lab.click_item("efficient.measured_tokens");
  lab.frames(2);
  for (const int key : {GLFW_KEY_UP, GLFW_KEY_UP, GLFW_KEY_RIGHT}) lab.press_key(key);
  CHECK(lab.on_tile("2, 1", 9));
}

TEST_CASE("a line of the table is clicked, and a cell of o opens that feature") {
  TilesLab lab;
  const auto line = lab.item("tile 2");
  REQUIRE(line);
  lab.click({line->min.x + 30, centre(*line).y});
  lab.frames(2);
  CHECK(lab.on_tile("2, 2", 9));
  CHECK(lab.at().feature == 0);
  CHECK(lab.find_text("Output, feature 0"));
  const auto head = lab.find_text("o ÷ l, 3 features");
  REQUIRE(head);
  const Rect first = *lab.item("tile 0");
  lab.click({head->min.x + first.width() * 0.1f, centre(first).y});
  lab.frames(2);
  CHECK(lab.on_tile("2, 0", 9));
  CHECK(lab.at().feature > 0);
  CHECK(lab.find_text("v[" + std::to_string(lab.at().feature) + "]"));
}

TEST_CASE("the feature is chosen in the inspector and by keys") {
  TilesLab lab;
  lab.click_item("feature/next feature");
  lab.frames(2);
  CHECK(lab.at().feature == 1);
  lab.press_key(GLFW_KEY_RIGHT, {.shift = true});
  lab.press_key(GLFW_KEY_RIGHT, {.shift = true});
  CHECK(lab.at().feature == 0);
  lab.press_key(GLFW_KEY_LEFT, {.shift = true});
  CHECK(lab.find_text("Output, feature 2"));
  lab.click_item("feature/feature before");
  CHECK(lab.at().feature == 1);
}

TEST_CASE("the numbers of a line are those by loops") {
  TilesLab lab;
  const std::size_t row = 9;
  double m = -HUGE_VAL, l = 0;
  for (std::size_t first = 0; first <= row; first += 4) {
    double largest = -HUGE_VAL, sum = 0;
    const std::size_t end = std::min<std::size_t>(first + 4, row + 1);
    const auto score = [&](std::size_t key) {
      double product = 0;
      const LayerStages& layer = lab.results()->places.as<EfficientPlaces>()->layer;
      for (std::size_t c = 0; c < 4; ++c)
        product += static_cast<double>(lab.results()->outputs[layer.q].whole()[{0, row, c}]) *
                   static_cast<double>(lab.results()->outputs[layer.k].whole()[{0, key, c}]);
      return product / 2;
    };
    for (std::size_t key = first; key < end; ++key) largest = std::max(largest, score(key));
    const double after = std::max(m, largest), factor = std::exp(m - after);
    for (std::size_t key = first; key < end; ++key) sum += std::exp(score(key) - after);
    l = factor * l + sum, m = after;
    CAPTURE(first);
    CHECK(lab.find_text(four(sum)));
    CHECK(lab.find_text(four(l)));
    CHECK(lab.find_text(inspector::write(m, {3, false})));
  }
  CHECK(lab.find_text("exact, from the whole row"));
  CHECK(lab.shows("all 16 rows: "));
  CHECK(lab.find_text("flash − full, in double"));
  CHECK(lab.find_text("flash in float32, on the device"));
  Document without = tiled_tokens(16);
  without.efficient.roads = {Road::full, Road::window};
  CHECK(TilesLab(without).find_text("flash in float32"));
}

TEST_CASE("chips of the stage bar say which part of the step is meant") {
  TilesLab lab;
  const auto colour = [&](const char* words) {
    for (const DrawnText& text : lab.texts())
      if (text.text == words) return text.colour;
    FAIL(words);
    return ImU32{0};
  };
  const ImU32 before = colour("Maximum");
  for (const char* chip : {"scores", "maximum", "rescale", "add", "next", "divide"})
    CHECK(lab.item(std::string("step tile.") + chip));
  lab.click_item("step tile.maximum");
  lab.frames(30);
  CHECK(colour("Maximum") != before);
  CHECK(colour("Sum") == before);
  lab.click_item("step tile.maximum");
  lab.frames(30);
  CHECK(colour("Maximum") == before);
  CHECK(lab.on_tile("2, 1", 9));
}
