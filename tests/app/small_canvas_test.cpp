// What stays on a small canvas: the large map of the heads, one column of a comparison, with numbers; and
// words that are whole in narrow panels.
#include "tests/app/small_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

// Every cell of the matrix says its number.
void check_numbers(SmallLab& lab, const char* stage, std::size_t count) {
  const auto all = lab.item(std::string(stage) + "/cells");
  REQUIRE_MESSAGE(all, stage);
  const float width = all->width() / static_cast<float>(count),
              height = all->height() / static_cast<float>(count);
  for (std::size_t row = 0; row < count; ++row)
    for (std::size_t column = 0; column < count; ++column) {
      const ImVec2 min{all->min.x + width * static_cast<float>(column),
                       all->min.y + height * static_cast<float>(row)};
      const std::string says = lab.text_in({min, {min.x + width, min.y + height}});
      CAPTURE(row);
      CAPTURE(column);
      CHECK_FALSE(says.empty());
      CHECK(says.find("…") == says.npos);
    }
}

}  // namespace

TEST_CASE("On a small canvas the heads show their large map alone, with numbers and chips of the others") {
  SmallLab lab(kSmallest, "heads", "eight-heads");
  const Rect canvas = lab.layout().canvas, map = *lab.item("weights/cells");
  CHECK(lab.shows("previous token 0.99"));
  CHECK(map.min.x >= canvas.min.x);
  CHECK(lab.text_in({map.min, {map.min.x + map.width() / 12, map.min.y + map.height() / 12}}) == "1.00");
  lab.press("choose/head 6");
  CHECK(lab.view().layer.head == 6);
  CHECK(lab.shows("induction 0.99"));
  const auto others = lab.item("maps/head 0");
  CHECK((!others || others->min.y >= canvas.max.y));
}

TEST_CASE("A small canvas with room beneath its large map has the maps of all heads there") {
  SmallLab lab(kNarrow, "heads", "eight-heads");
  const Rect canvas = lab.layout().canvas, large = *lab.item("weights/cells"),
             last = *lab.item("maps/head 7");
  CHECK(last.min.y > large.max.y);
  CHECK(last.max.y <= canvas.max.y);
  CHECK_FALSE(lab.item("choose/head 0"));
  lab.press("maps/head 3");
  CHECK(lab.view().layer.head == 3);
}

TEST_CASE(
    "A small canvas shows one column of a comparison, with numbers, and the heads of columns choose it") {
  SmallLab lab(kSmallest, "compare", "the-cat-sat-on-mat");
  lab.view().canvas().step = "weights";
  lab.frames(20);
  const std::array columns{"weights", "b.weights", "diff.weights"};
  for (std::size_t shown = 0; shown < columns.size(); ++shown) {
    lab.press("column " + std::to_string(shown));
    for (std::size_t c = 0; c < columns.size(); ++c)
      CHECK(lab.item(std::string("weights/") + columns[c] + "/cells").has_value() == (c == shown));
    check_numbers(lab, columns[shown], 5);
  }
}

TEST_CASE("Three columns of a comparison stand side by side where they have room for numbers") {
  SmallLab lab(kNarrow, "compare", "the-cat-sat-on-mat");
  for (const char* stage : {"b.masked", "diff.masked"}) check_numbers(lab, stage, 5);
  CHECK_FALSE(lab.item("column 0"));
}

TEST_CASE("Narrow panels elide neither names of controls nor facts and titles of the inspector" *
          doctest::test_suite("unsanitized")) {
  for (const Workspace& workspace : workspaces()) {
    CAPTURE(workspace.name);
    SmallLab lab(kNarrow, workspace.name);
    for (const char* step : {"", "q", "weights"}) {
      if (*step) lab.view().canvas().step = step;
      lab.view().settings.sections.all = true;
      lab.frames(3);
      for (const DrawnText& text : lab.texts())
        if (lab.layout().inspector.contains(centre(text.box)))
          CHECK_FALSE_MESSAGE(text.text.ends_with("…"), text.text);
      for (const char* label : {"temperat…", "key/value…"}) CHECK_FALSE(lab.find_text(label));
    }
  }
}
