// Copy and paste: what is copied comes back to the last bit; what is pasted is shown first, then taken whole
// in one step or not at all.
#include <algorithm>

#include "tests/app/grid_lab.h"
#include "tests/layers.h"

using namespace attn;
using namespace attn::tests;

namespace {

void copy(GridLab& lab) {
  lab.key(GLFW_KEY_C, {.control = true});
}

void paste(GridLab& lab) {
  lab.key(GLFW_KEY_V, {.control = true});
  lab.frames(2);
}

}  // namespace

TEST_CASE("a copied block comes back by pasting, to the last bit, after a look and one step") {
  GridLab lab;
  const Tensor x = lab.layer().x;
  lab.hold({.control = true});
  lab.drag(lab.at("x", 0, 0), lab.at("x", 1, 2));
  lab.hold({});
  copy(lab);
  CHECK(lab.clipboard == "-0.5\t-0.25\t0\n0.5\t0.75\t1\n");
  lab.click(lab.at("x", 2, 1));
  paste(lab);
  REQUIRE(lab.view().grid.pasting);
  CHECK(lab.shows("Understood: table (tabs), 2×3"));
  CHECK(lab.layer().x == x);
  lab.key(GLFW_KEY_ENTER);
  CHECK(!lab.view().grid.pasting);
  for (std::size_t row = 0; row < 2; ++row)
    for (std::size_t column = 0; column < 3; ++column)
      CHECK(lab.x(2 + row, 1 + column) == x[{0, row, column}]);
  CHECK(lab.steps() == 1);
}

TEST_CASE("one bad cell leaves everything as it was and is named") {
  GridLab lab;
  const Document before = lab.document();
  lab.click(lab.at("x", 0, 0));
  lab.clipboard = "1\t2\n3\toops\n";
  paste(lab);
  CHECK(lab.shows("oops"));
  CHECK(lab.shows("row 1, column 1"));
  CHECK(lab.shows("Nothing was changed."));
  SUBCASE("Enter closes the message") {
    lab.key(GLFW_KEY_ENTER);
  }
  SUBCASE("Esc closes it") {
    lab.key(GLFW_KEY_ESCAPE);
  }
  lab.frames(2);
  CHECK(!lab.view().grid.pasting);
  CHECK(lab.document() == before);
}

TEST_CASE("abbreviated NumPy text is refused with the reason") {
  GridLab lab;
  lab.click(lab.at("x", 0, 0));
  lab.clipboard = "array([[1., 2., ..., 3.]])";
  paste(lab);
  CHECK(lab.shows("abbreviated"));
  lab.key(GLFW_KEY_ESCAPE);
  CHECK(lab.steps() == 0);
}

TEST_CASE("Esc in the preview changes nothing and keeps the selection") {
  GridLab lab;
  lab.click(lab.at("x", 0, 0));
  lab.clipboard = "5";
  paste(lab);
  lab.key(GLFW_KEY_ESCAPE);
  lab.frames(2);
  CHECK(!lab.view().grid.pasting);
  CHECK(lab.view().pinned == spot("x", 0, 0));
  CHECK(lab.steps() == 0);
}

TEST_CASE("a block larger than x offers to add tokens and features, in one step") {
  Document document = small_document();
  set_causal(document.layer(), {});
  GridLab lab(document);
  lab.click(lab.at("x", 2, 0));
  lab.clipboard = "1 2 3 4 5\n6 7 8 9 10\n11 12 13 14 15\n";
  paste(lab);
  CHECK(lab.shows("there is room for 2×4"));
  const auto button = lab.find_text("Add 1 token and 1 feature and paste");
  REQUIRE(button);
  lab.click(centre(*button));
  CHECK(lab.layer().x.shape() == Shape{1, 5, 5});
  CHECK(lab.layer().tokens.back() == "new");
  CHECK(lab.x(4, 4) == 15);
  CHECK(lab.layer().w_q.rows() == 5);
  CHECK(lab.steps() == 1);
  CHECK(lab.app().engine_state().error.empty());
}

TEST_CASE("a block larger than queries that are given makes all of the layer's widths and tokens follow") {
  Document document;
  document.layer().direct = true;
  document.layer().q = document.layer().k = document.layer().v = Tensor({1, 2, 2}, {1, 2, 3, 4});
  GridLab lab(document);
  lab.click(lab.at("q", 0, 0));
  lab.clipboard = "[[9, 8, 7], [6, 5, 4], [3, 2, 1]]";
  paste(lab);
  const auto button = lab.find_text("Add 1 token and 1 feature and paste");
  REQUIRE(button);
  lab.click(centre(*button));
  CHECK(lab.layer().q == Tensor({1, 3, 3}, {9, 8, 7, 6, 5, 4, 3, 2, 1}));
  CHECK(lab.layer().k.shape() == Shape{1, 3, 3});
  CHECK(lab.layer().k[{0, 1, 1}] == 4);
  CHECK(lab.layer().v.shape() == Shape{1, 3, 2});
  CHECK(lab.steps() == 1);
  CHECK(lab.app().engine_state().error.empty());
}

TEST_CASE("a smaller block on the first cell offers to make the matrix as small") {
  Document document = small_document();
  set_causal(document.layer(), {});
  GridLab lab(document);
  lab.click(lab.at("x", 0, 0));
  lab.clipboard = "1 2\n3 4\n5 6\n";
  paste(lab);
  CHECK(lab.find_text("Paste"));
  const auto button = lab.find_text("Make it 3×2 and paste");
  REQUIRE(button);
  lab.click(centre(*button));
  CHECK(lab.layer().x == Tensor({1, 3, 2}, {1, 2, 3, 4, 5, 6}));
  CHECK(lab.layer().w_q.rows() == 2);
  CHECK(lab.steps() == 1);
  lab.click(lab.at("x", 1, 0));
  lab.clipboard = "1 2\n";
  paste(lab);
  CHECK_FALSE(lab.find_text("Make it 1×2 and paste"));
}

TEST_CASE("a projection takes the size of a pasted block and heads share its columns") {
  Document document = small_document();
  GridLab lab(document);
  lab.view().layer.show_parameters = true;
  lab.settle();
  lab.frames(2);
  const std::size_t d = lab.layer().x.columns(), columns = 2 * lab.layer().heads;
  std::string block;
  for (std::size_t row = 0; row < d; ++row)
    for (std::size_t column = 0; column < columns; ++column)
      block += "0.5" + std::string(column + 1 < columns ? " " : "\n");
  lab.click(lab.at("w_q", 0, 0));
  lab.clipboard = block;
  paste(lab);
  const auto button =
      lab.find_text("Make it " + std::to_string(d) + "×" + std::to_string(columns) + " and paste");
  REQUIRE(button);
  lab.click(centre(*button));
  CHECK(lab.layer().w_q == Tensor({1, d, columns}, std::vector<float>(d * columns, 0.5f)));
  CHECK(lab.layer().w_k.columns() == 2 * lab.layer().kv_heads);
  CHECK(lab.app().engine_state().error.empty());
}

TEST_CASE("a block larger than computed numbers says what fits and is not taken in part") {
  GridLab lab;
  const Document before = lab.document();
  const std::size_t n = query_count(lab.layer());
  lab.click(lab.at("weights", n - 1, 0));
  lab.clipboard = "[[9, 9], [9, 9]]";
  paste(lab);
  CHECK(lab.shows("there is room for 1×"));
  CHECK(!lab.find_text("Paste"));
  lab.key(GLFW_KEY_ENTER);
  CHECK(lab.document() == before);
  lab.key(GLFW_KEY_ESCAPE);
  CHECK(lab.steps() == 0);
}

TEST_CASE("one number fills the selected block") {
  GridLab lab;
  lab.hold({.control = true});
  lab.drag(lab.at("x", 0, 0), lab.at("x", 1, 1));
  lab.hold({});
  lab.clipboard = "pi";
  paste(lab);
  lab.key(GLFW_KEY_ENTER);
  CHECK(lab.x(1, 1) == 3.14159265f);
  CHECK(lab.x(0, 0) == lab.x(1, 1));
  CHECK(lab.x(2, 2) != lab.x(1, 1));
}

TEST_CASE("with nothing selected the matrix under the pointer is copied whole") {
  GridLab lab;
  lab.move(lab.at("weights", 0, 0));
  copy(lab);
  CHECK(lab.clipboard.starts_with("1\t0\t0\t0\n"));
  CHECK(std::count(lab.clipboard.begin(), lab.clipboard.end(), '\n') == 4);
}

TEST_CASE("a pasted block into weights overrides them") {
  GridLab lab;
  lab.click(lab.at("weights", 3, 0));
  lab.clipboard = "0.25 0.25 0.25 0.25";
  paste(lab);
  lab.key(GLFW_KEY_ENTER);
  CHECK(lab.document().overrides.size() == 4);
  CHECK(lab.computed("weights", 3, 2) == 0.25f);
}

TEST_CASE("a long text is read on a thread of its own before it is shown") {
  GridLab lab;
  lab.click(lab.at("x", 0, 0));
  std::string row;
  for (int column = 0; column < 300; ++column) row += "0.123456\t";
  row.back() = '\n';
  lab.clipboard.clear();
  for (int i = 0; i < 300; ++i) lab.clipboard += row;
  paste(lab);
  REQUIRE(lab.view().grid.pasting);
  lab.settle();
  CHECK(lab.shows("Understood: table (tabs), 300×300"));
  CHECK(lab.steps() == 0);
  lab.click_item("Cancel");
  CHECK(!lab.view().grid.pasting);
  lab.clipboard = "5\n";
  paste(lab);  // what was long before does not come in its place
  CHECK(lab.shows("1×1"));
}
