// A weight on a masked key, in matrices whose cells have no room for its number.
#include <GLFW/glfw3.h>

#include "core/checks/checks.h"
#include "core/edits/edit.h"
#include "tests/app/grid_lab.h"
#include "tests/app/odd_documents.h"
#include "tests/app/picture_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

// Causal, with these weights typed over zeros.
Document leaking(std::size_t tokens, std::size_t heads, const std::vector<CellValue>& leaks) {
  Document document = projected(tokens, 8, heads);
  set_causal(document.layer(), CausalAlign::lower_right);
  for (const CellValue& leak : leaks) document.overrides.push_back({"pipeline", "weights", leak});
  return document;
}

}  // namespace

TEST_CASE("a planted weight of one masked cell of 1024 tokens is told in the picture of the weights") {
  Offscreen screen({.document = leaking(1024, 1, {{{0, 300, 700}, 0.0625f}})});
  const Picture picture = screen.picture();
  Headless& lab = screen.lab();
  const auto label = lab.item("weights/leak");
  REQUIRE(label);
  CHECK(lab.text_in(*label) == "0.0625 on a masked key");
  const Rect cells = *lab.item("weights/cells");
  const float y = cells.min.y + cells.height() * 300.5f / 1024,
              x = cells.min.x + cells.width() * 700.5f / 1024;
  CHECK(label->min.y <= y);
  CHECK(label->max.y >= y);
  CHECK(std::min(std::abs(label->min.x - x), std::abs(label->max.x - x)) < 20);
  const Pixel red = pixel_of(theme_of(screen.app().view().settings).bad);
  int ring = 0;
  for (float left = x - 9; left < x; ++left) ring += pixel_at(picture, {left, y}) == red;
  CHECK(ring >= 1);
}

TEST_CASE("the label of a masked weight opens it and says how many there are") {
  GridLab lab(leaking(100, 1, {{{0, 20, 70}, 0.25f}, {{0, 3, 80}, 2e-6f}, {{0, 1, 2}, 0.125f}}));
  CHECK(lab.text_in(*lab.item("weights/leak")) == "0.2500 on a masked key, 2 more");
  lab.click_item("weights/leak");
  CHECK(lab.view().pinned == spot("weights", 20, 70));
  CHECK(lab.text_in({{1200, 0}, {1600, 1000}}).find("0.25") != std::string::npos);
}

TEST_CASE("a masked weight of a head that is not shown is told and opens that head") {
  GridLab lab(leaking(70, 2, {{{1, 20, 60}, 2e-6f}}));
  REQUIRE(lab.view().layer.head == 0);
  CHECK(lab.text_in(*lab.item("weights/leak")).starts_with("head 1: 2.0e-6"));
  lab.click_item("weights/leak");
  lab.settle();
  CHECK(lab.view().pinned == Spot{"weights", {1, 20, 60}});
  CHECK(lab.view().layer.head == 1);
  CHECK(lab.text_in(*lab.item("weights/leak")).starts_with("2.0e-6"));
}

TEST_CASE("no label speaks of masked weights where there are none or cells write their numbers") {
  CHECK_FALSE(GridLab(leaking(100, 1, {})).item("weights/leak"));
  GridLab lab(leaking(4, 1, {{{0, 1, 3}, 0.25f}}));
  CHECK_FALSE(lab.item("weights/leak"));
  CHECK(lab.text_in(lab.cell("weights", 1, 3)).starts_with("0.25"));
}

TEST_CASE("numbers of before have no label of now") {
  GridLab lab(leaking(100, 1, {}));
  lab.key(GLFW_KEY_B);
  lab.app().change(leaking(100, 1, {{{0, 20, 70}, 0.25f}}));
  lab.settle();
  lab.frames(2);
  CHECK(lab.item("weights/leak"));
  lab.key(GLFW_KEY_B);
  lab.frames(2);
  CHECK_FALSE(lab.item("weights/leak"));
}
