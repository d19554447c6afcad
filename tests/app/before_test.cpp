// Before and after: what was pinned, what is outlined and counted since, and the flip between both.
#include "app/frame/before.h"

#include <GLFW/glfw3.h>

#include <cmath>

#include "app/program/input.h"
#include "tests/app/grid_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

// The last token's first feature is another one: its rows of Q, K and V change, its row and column of the
// scores, and, as keys after a query are masked, its row alone of the weights.
void edit(GridLab& lab, float value = 2) {
  Document document = lab.document();
  std::vector<float> x(document.layer().x.values().begin(), document.layer().x.values().end());
  x[12] = value;
  document.layer().x = Tensor(document.layer().x.shape(), x);
  lab.app().change(document);
  lab.settle();
  lab.frames(2);
}

void pin(GridLab& lab) {
  lab.settle();
  lab.key(GLFW_KEY_B);
  lab.frames(2);
}

// A ring has points near each of the cell's corners.
bool outlined(GridLab& lab, const std::string& stage, std::size_t row, std::size_t column) {
  const Rect box = lab.cell(stage, row, column);
  const ImU32 colour = lab.theme().warning;
  const ImDrawData& data = lab.draw_data();
  const auto reached = [&](float x, float y) {
    for (int i = 0; i < data.CmdListsCount; ++i)
      for (const ImDrawVert& vertex : data.CmdLists[i]->VtxBuffer)
        if (vertex.col == colour && std::abs(vertex.pos.x - x) < 5 && std::abs(vertex.pos.y - y) < 5)
          return true;
    return false;
  };
  return reached(box.min.x, box.min.y) && reached(box.max.x, box.min.y) && reached(box.min.x, box.max.y) &&
         reached(box.max.x, box.max.y);
}

bool title_says(GridLab& lab, const std::string& stage, const std::string& words) {
  const Rect cells = lab.cells(stage);
  return lab.text_in({{cells.min.x - 60, cells.min.y - 60}, {cells.max.x + 60, cells.min.y}}).find(words) !=
         std::string::npos;
}

}  // namespace

TEST_CASE("since the pin exactly the changed cells are outlined and counted") {
  GridLab lab;
  pin(lab);
  CHECK_FALSE(title_says(lab, "scores", "changed"));
  edit(lab);
  for (std::size_t row = 0; row < 4; ++row)
    for (std::size_t column = 0; column < 4; ++column) {
      INFO(row << " " << column);
      CHECK(outlined(lab, "x", row, column) == (row == 3 && column == 0));
      CHECK(outlined(lab, "scores", row, column) == (row == 3 || column == 3));
      CHECK(outlined(lab, "weights", row, column) == (row == 3));
    }
  CHECK(title_says(lab, "x", "1 changed"));
  CHECK(title_says(lab, "scores", "7 changed"));
  CHECK(title_says(lab, "weights", "4 changed"));
}

TEST_CASE("hovering a changed cell shows its number of before") {
  GridLab lab;
  pin(lab);
  edit(lab);
  lab.move(lab.at("x", 3, 0));
  lab.frames(2);
  CHECK(lab.shows("before 0.75"));
  lab.move(lab.at("x", 2, 0));
  lab.frames(2);
  CHECK_FALSE(lab.shows("before 0"));
}

TEST_CASE("the inspector says what a changed number was and of another nothing") {
  GridLab lab;
  pin(lab);
  const auto inspects = [&](std::size_t row, std::size_t column) {
    lab.view().pinned = Spot{"x", {0, row, column}};
    lab.frames(3);
  };
  inspects(3, 0);
  CHECK_FALSE(lab.shows("was 0.75"));
  edit(lab);
  inspects(3, 0);
  CHECK(lab.find_text("was 0.75"));
  inspects(2, 0);
  CHECK_FALSE(lab.shows("was 0"));
}

TEST_CASE("the chip pins then flips and stands for what is shown") {
  GridLab lab;
  lab.settle();
  REQUIRE(lab.reveal("show before"));
  CHECK(lab.find_text("take snapshot"));
  lab.click_item("show before");
  lab.frames(2);
  REQUIRE(lab.view().before.results);
  CHECK_FALSE(lab.view().before.shown);
  CHECK_FALSE(lab.find_text("take snapshot"));
  CHECK(lab.find_text("snapshot"));
  const std::string x = lab.text_in(lab.cell("x", 3, 0));
  edit(lab);
  lab.click_item("show before");
  lab.frames(2);
  CHECK(lab.view().before.shown);
  CHECK(lab.text_in(lab.cell("x", 3, 0)) == x);
  lab.click_item("show before");
  lab.frames(2);
  CHECK_FALSE(lab.view().before.shown);
  CHECK(lab.text_in(lab.cell("x", 3, 0)) != x);
}

TEST_CASE("a line of what has changed since opens the number of its stage that changed most") {
  GridLab lab(small_document(), {1600, 1600});
  pin(lab);
  const Tensor then = lab.results()->output("weights");
  edit(lab);
  const Tensor now = lab.results()->output("weights");
  std::size_t most = 0;
  const auto change = [&](std::size_t i) { return std::abs(now.values()[i] - then.values()[i]); };
  for (std::size_t i = 0; i < now.values().size(); ++i)
    if (change(i) > change(most)) most = i;
  REQUIRE(change(most) > 0);
  CHECK(lab.shows("Since then"));
  lab.click_item("sinceweights");
  lab.frames(2);
  REQUIRE(lab.view().pinned);
  CHECK(*lab.view().pinned == Spot{"weights", cell_at(now.shape(), most)});
  lab.click_item("sincex");
  lab.frames(2);
  CHECK(*lab.view().pinned == spot("x", 3, 0));
}

TEST_CASE("one key flips every matrix to its numbers of before and back") {
  GridLab lab;
  pin(lab);
  const std::string x = lab.text_in(lab.cell("x", 3, 0)), score = lab.text_in(lab.cell("scores", 3, 3));
  edit(lab);
  const std::string new_x = lab.text_in(lab.cell("x", 3, 0));
  CHECK(new_x != x);
  lab.key(GLFW_KEY_B);
  lab.frames(2);
  CHECK(lab.shows("The snapshot; B goes back"));
  CHECK(lab.text_in(lab.cell("x", 3, 0)) == x);
  CHECK(lab.text_in(lab.cell("scores", 3, 3)) == score);
  lab.key(GLFW_KEY_B);
  lab.frames(2);
  CHECK_FALSE(lab.shows("The snapshot; B goes back"));
  CHECK(lab.text_in(lab.cell("x", 3, 0)) == new_x);
  CHECK(lab.steps() == 1);  // neither a pin nor a flip is a step
}

TEST_CASE("the line that says so moves no cell") {
  for (const ImVec2 size : {ImVec2{1600, 1000}, ImVec2{1024, 640}}) {
    GridLab lab(small_document(), size);
    pin(lab);
    edit(lab);
    std::vector<Rect> places;
    const std::vector<std::string> stages{"x", "q", "k"};
    for (const std::string& stage : stages) places.push_back(lab.cells(stage));
    lab.key(GLFW_KEY_B);
    lab.frames(2);
    CHECK(lab.shows("The snapshot; B goes back"));
    for (std::size_t i = 0; i < stages.size(); ++i) {
      INFO(stages[i]);
      const Rect now = lab.cells(stages[i]);
      CHECK(now.min.x == places[i].min.x);
      CHECK(now.min.y == places[i].min.y);
      CHECK(now.max.x == places[i].max.x);
      CHECK(now.max.y == places[i].max.y);
    }
  }
}

TEST_CASE("an edit that begins while it is flipped starts from the number of now") {
  GridLab lab;
  pin(lab);
  edit(lab);
  lab.key(GLFW_KEY_B);
  lab.frames(2);
  const ImVec2 from = lab.at("x", 3, 0);
  lab.drag(from, {from.x + 10, from.y});
  lab.settle();
  CHECK_FALSE(lab.view().before.shown);
  CHECK(lab.x(3, 0) > 2);
}

TEST_CASE("undo back to what was pinned leaves nothing changed") {
  GridLab lab;
  pin(lab);
  edit(lab);
  lab.app().undo();
  lab.settle();
  lab.frames(2);
  CHECK_FALSE(title_says(lab, "scores", "changed"));
  CHECK(lab.shows("Every number is as it was"));
  CHECK_FALSE(outlined(lab, "x", 3, 0));
}

TEST_CASE("a matrix of another shape says which it had and one that was not there says so") {
  GridLab lab;
  pin(lab);
  Document document = lab.document();
  insert_token(document, 4, "e");
  lab.app().change(document);
  lab.settle();
  lab.frames(2);
  CHECK(title_says(lab, "scores", "before: 4×4"));
  lab.key(GLFW_KEY_B);
  lab.frames(3);
  CHECK(lab.shows("The snapshot; B goes back"));
}

TEST_CASE("another file and Shift+B let go of what was pinned") {
  GridLab lab;
  pin(lab);
  CHECK(lab.view().before.results);
  lab.key(GLFW_KEY_B, {.shift = true});
  CHECK_FALSE(lab.view().before.results);
  pin(lab);
  lab.app().open("three-tokens");
  lab.settle();
  CHECK_FALSE(lab.view().before.results);
}
