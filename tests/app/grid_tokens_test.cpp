// Tokens by their labels: carried, added, removed and renamed by mouse and keys, one step each.
#include "app/theme/toolkit.h"
#include "tests/app/grid_lab.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("a token label dragged to another row carries its token there in one step") {
  GridLab lab;
  const Tensor x = lab.layer().x;
  lab.drag(centre(*lab.item("x/0/row")), centre(*lab.item("x/2/row")));
  CHECK(lab.layer().tokens == Labels{"b", "c", "a", "d"});
  CHECK(lab.x(2, 1) == x[{0, 0, 1}]);
  CHECK(lab.steps() == 1);
  CHECK(lab.step_name() == "reorder tokens");
  CHECK(!lab.view().grid.drag);
  lab.key(GLFW_KEY_Z, {.control = true});
  CHECK(lab.layer().x == x);
}

TEST_CASE("the label of a query or key moves the token too") {
  GridLab lab;
  lab.drag(centre(*lab.item("k/3/row")), centre(*lab.item("k/0/row")));
  CHECK(lab.layer().tokens == Labels{"d", "a", "b", "c"});
}

TEST_CASE("the button below the last row adds a token, the one next to a label removes it") {
  GridLab lab;
  lab.click_item("x/add token");
  CHECK(lab.layer().tokens == Labels{"a", "b", "c", "d", "new"});
  CHECK(lab.x(4, 0) == 0);
  CHECK(lab.results()->output("weights").shape() == Shape{1, 5, 5});
  lab.move(centre(*lab.item("x/1/row")));
  REQUIRE(lab.item("x/1/remove"));
  lab.click_item("x/1/remove");
  CHECK(lab.layer().tokens == Labels{"a", "c", "d", "new"});
  CHECK(lab.steps() == 2);
}

TEST_CASE("the last token has no button to remove it") {
  Document document = small_document();
  while (document.layer().x.rows() > 1) remove_token(document, 0);
  GridLab lab(document);
  lab.move(centre(*lab.item("x/0/row")));
  CHECK(!lab.item("x/0/remove"));
}

TEST_CASE("a double click on a label renames the token, Esc leaves it") {
  GridLab lab;
  lab.double_click(centre(*lab.item("x/1/row")));
  lab.frames(2);
  lab.type("bee");
  lab.key(GLFW_KEY_ENTER);
  CHECK(lab.layer().tokens == Labels{"a", "bee", "c", "d"});
  CHECK(lab.steps() == 1);
  CHECK(lab.step_name() == "rename token");
  CHECK(!lab.view().grid.renaming);
  lab.double_click(centre(*lab.item("x/2/row")));
  lab.frames(2);
  lab.type("sea");
  lab.key(GLFW_KEY_ESCAPE);
  CHECK(lab.layer().tokens == Labels{"a", "bee", "c", "d"});
  CHECK(lab.steps() == 1);
}

TEST_CASE(
    "the box of a label being typed lies over the label and within the canvas and holds the whole text") {
  for (const ImVec2 size : {ImVec2{1600, 1000}, ImVec2{1024, 640}})
    for (const float scale : {1.0f, 2.0f}) {
      CAPTURE(size.x);
      CAPTURE(scale);
      GridLab lab(small_document(), size, scale);
      const Rect canvas = *lab.item("empty"), label = *lab.item("x/1/row");
      lab.double_click(centre(label));
      lab.frames(2);
      lab.type("a much longer name");
      lab.frames(2);
      const auto box = lab.item("x/##rename");
      REQUIRE(box);
      CHECK(box->min.x >= canvas.min.x);
      CHECK(box->max.x <= canvas.max.x);
      CHECK(box->min.x <= label.max.x);
      CHECK(box->max.x >= label.max.x - 8);
      CHECK(box->min.y <= centre(label).y);
      CHECK(box->max.y >= centre(label).y);
      CHECK(box->height() >= font_size(lab.theme().fonts.body));
      const auto text = lab.find_text("a much longer name");
      REQUIRE(text);
      CHECK(text->min.x >= box->min.x);
      CHECK(text->max.x <= box->max.x);
      CHECK_FALSE(lab.find_text("rename"));
    }
}

TEST_CASE("Alt with the arrows carries the token of the selected cell") {
  GridLab lab;
  lab.click(lab.at("x", 0, 2));
  lab.key(GLFW_KEY_DOWN, {.alt = true});
  CHECK(lab.layer().tokens == Labels{"b", "a", "c", "d"});
  CHECK(lab.selected() == spot("x", 1, 2));
  lab.key(GLFW_KEY_UP, {.alt = true});
  lab.key(GLFW_KEY_UP, {.alt = true});
  CHECK(lab.layer().tokens == Labels{"a", "b", "c", "d"});
}

TEST_CASE("computed matrices have no buttons for tokens") {
  GridLab lab;
  CHECK(!lab.item("q/add token"));
  CHECK(!lab.item("scores/add token"));
  lab.move(centre(*lab.item("q/1/row")));
  CHECK(!lab.item("q/1/remove"));
}

TEST_CASE("a name that no session could hold is refused and said") {
  GridLab lab;
  lab.double_click(centre(*lab.item("x/1/row")));
  lab.frames(2);
  lab.type(std::string(5000, 'x'));
  lab.key(GLFW_KEY_ENTER);
  CHECK(lab.layer().tokens == Labels{"a", "b", "c", "d"});
  CHECK(lab.view().message.find("longer than 4096 bytes") != std::string::npos);
}
