// What the cells show, read back from the glyphs and rectangles of the frame and held against the numbers.
#include <cmath>

#include "app/cells/cell_text.h"
#include "tests/app/grid_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

Document direct(Shape q, Shape kv, std::vector<float> values = {}) {
  const auto tensor = [&](Shape shape) {
    std::vector<float> v(shape.size());
    for (std::size_t i = 0; i < v.size(); ++i)
      v[i] = values.empty() ? std::sin(static_cast<float>(i)) : values[i % values.size()];
    return Tensor(shape, std::move(v));
  };
  Document document;
  document.layer().direct = true;
  document.layer().q = tensor(q);
  document.layer().k = document.layer().v = tensor(kv);
  return document;
}

}  // namespace

TEST_CASE("numbers are rounded to nearest, never minus zero, and have signs for what is none") {
  CHECK(cell_text(1.005f, 2) == "1.00");  // the float is below 1.005
  CHECK(cell_text(-0.994f, 2) == "-0.99");
  CHECK(cell_text(-0.001f, 2) == "0.00");
  CHECK(cell_text(-22.156f, 1) == "-22.2");
  CHECK(cell_text(INFINITY, 2) == "∞");
  CHECK(cell_text(-INFINITY, 2) == "−∞");
  CHECK(cell_text(NAN, 2) == "NaN");
  CHECK(scientific(123456, 1) == "1.2e5");
  CHECK(scientific(-0.00012f, 0) == "-1e-4");
  CHECK(scientific(1e20f, 0) == "1e20");
  CHECK(scientific(5, 0) == "5e0");
}

TEST_CASE("the digits in every cell are those of its number") {
  GridLab lab;
  for (const std::string stage : {"x", "q", "k", "v", "scores", "scaled", "weights", "head_output"}) {
    const Shape shape = lab.shape_of(stage);
    for (std::size_t row = 0; row < shape.rows; ++row)
      for (std::size_t column = 0; column < shape.columns; ++column) {
        if (stage == "weights" && column > row) continue;  // masked
        const std::string text = lab.text_in(lab.cell(stage, row, column));
        INFO(stage << row << column << text);
        const std::size_t point = text.find('.');
        REQUIRE(point != std::string::npos);
        CHECK(text == cell_text(lab.computed(stage, row, column), static_cast<int>(text.size() - point) - 1));
      }
  }
}

TEST_CASE("masked cells are hatched and carry no number") {
  GridLab lab;
  CHECK(lab.text_in(lab.cell("weights", 0, 3)).empty());
  CHECK(lab.text_in(lab.cell("masked", 0, 3)).empty());
  CHECK(!lab.text_in(lab.cell("scores", 0, 3)).empty());
  lab.move(lab.at("weights", 0, 3));
  lab.frames(2);
  CHECK(lab.shows("masked: this query does not see this key"));
}

TEST_CASE("NaN and the infinities are written out") {
  Document document = small_document();
  document.layer().x =
      Tensor({1, 4, 4}, {NAN, INFINITY, -INFINITY, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.5f});
  GridLab lab(document);
  CHECK(lab.text_in(lab.cell("x", 0, 0)) == "NaN");
  CHECK(lab.text_in(lab.cell("x", 0, 1)) == "∞");
  CHECK(lab.text_in(lab.cell("x", 0, 2)) == "−∞");
}

TEST_CASE("long numbers become shorter or scientific, and the whole one is the entry's") {
  Document document = small_document();
  document.layer().x =
      Tensor({1, 4, 4}, {1234567, -98765.4f, 1e-9f, 3.3e30f, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  GridLab lab(document);
  CHECK(lab.text_in(lab.cell("x", 0, 0)).find("e6") != std::string::npos);
  CHECK(lab.text_in(lab.cell("x", 0, 3)).find("e30") != std::string::npos);
  lab.double_click(lab.at("x", 0, 1));
  lab.frames(2);
  CHECK(lab.view().grid.typing->text == "-98765.4");
}

TEST_CASE("more digits appear as cells grow and none when they are too small") {
  GridLab lab;
  const std::string usual = lab.text_in(lab.cell("weights", 3, 1));
  lab.view().canvas().zoom = 3;
  lab.view().canvas().reveal = "weights";
  lab.frames(3);
  const std::string large = lab.text_in(lab.cell("weights", 3, 1));
  CHECK(large.size() > usual.size());
  CHECK(large == cell_text(lab.computed("weights", 3, 1), static_cast<int>(large.size()) - 2));
  lab.view().canvas().zoom = 0.25f;
  lab.frames(3);
  CHECK(lab.text_in(lab.cell("weights", 3, 1)).empty());
}

TEST_CASE("one number, 64 by 64 and 512 by 512 are drawn and say their numbers on hover") {
  GridLab one(direct({1, 1, 1}, {1, 1, 1}, {0.5f}));
  CHECK(one.text_in(one.cell("q", 0, 0)) == "0.50");
  CHECK(one.text_in(one.cell("weights", 0, 0)) == "1");
  for (const std::size_t n : {64, 512}) {
    GridLab lab(direct({1, n, 4}, {1, n, 4}));
    lab.view().canvas().reveal = "scores";
    lab.frames(3);
    lab.move(lab.at("scores", 3, 5));
    lab.frames(2);
    REQUIRE(lab.view().hovered);
    const auto [stage, cell] = *lab.view().hovered;
    CHECK(stage == "scores");
    // The pointer stands on whole pixels, which cells of less than one do not.
    const Rect first = lab.cell("scores", 0, 0);
    CHECK(std::abs(static_cast<float>(cell.row) - 3) * first.height() <= 1);
    CHECK(std::abs(static_cast<float>(cell.column) - 5) * first.width() <= 1);
    CHECK(lab.shows("scores[" + std::to_string(cell.row) + ", " + std::to_string(cell.column) +
                    "] = " + exact_text(lab.computed("scores", cell.row, cell.column))));
  }
}

TEST_CASE("a matrix shrunk below a pixel a cell says that it is max-pooled") {
  GridLab lab(direct({1, 512, 4}, {1, 512, 4}));
  lab.view().canvas().zoom = 0.25f;
  lab.view().canvas().reveal = "scores";
  lab.frames(3);
  REQUIRE(lab.cells("scores").width() < 512);
  CHECK(lab.shows("max-pooled"));
}

TEST_CASE("a subtitle gives up its words before its shape and keeps its order") {
  const GridLab lab(direct({1, 2, 2}, {1, 2, 2}));
  const ImFont* font = ImGui::GetIO().Fonts->Fonts[0];
  const Subtitle subtitle{{"QKᵀ"}, {.text = "5×4", .essential = true}, {"head 0"}};
  const auto in_room_for = [&](const char* text) { return fitting(font, subtitle, text_width(font, text)); };
  CHECK(in_room_for("QKᵀ · 5×4 · head 0") == "QKᵀ · 5×4 · head 0");
  CHECK(in_room_for("QKᵀ · 5×4 · head") == "QKᵀ · 5×4");
  CHECK(in_room_for("5×4 · ") == "5×4");
  CHECK(fitting(font, subtitle, text_width(font, "5×4") - 1).ends_with("…"));
  CHECK(fitting(font, {{"a long description"}, {.text = "5×4", .essential = true}},
                text_width(font, "5×4")) == "5×4");
}

TEST_CASE("cells outside the window cost nothing") {
  GridLab lab(direct({1, 24, 24}, {1, 24, 24}));
  const int all = lab.draw_data().TotalVtxCount;
  lab.view().canvas().zoom = 8;
  lab.view().canvas().reveal = "q";
  lab.frames(3);
  CHECK(lab.draw_data().TotalVtxCount < all);
}

TEST_CASE("the colour range is locked and unlocked by a click on its bar") {
  GridLab lab;
  CHECK(lab.find_text("±1"));
  lab.click_item("x/range");
  REQUIRE(lab.view().grid.locked_ranges.size() == 1);
  CHECK(lab.view().grid.locked_ranges[0] == std::pair<std::string, float>("x", 1.0f));
  lab.click(lab.at("x", 0, 0));
  lab.type("30");
  lab.key(GLFW_KEY_ENTER);
  CHECK(lab.shows("±1 locked"));
  lab.click_item("x/range");
  CHECK(lab.view().grid.locked_ranges.empty());
  CHECK(lab.find_text("±30"));
  CHECK(lab.steps() == 1);
}
