// The numbers in cells: none is written as another, none is missing, and cells grow before digits go.
#include <algorithm>
#include <cmath>
#include <limits>

#include "app/cells/cell_text.h"
#include "tests/app/grid_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr float kHuge = 1e38f;
const ImVec2 kGridSizes[] = {{1600, 1000}, {1024, 640}, {1024, 768}};

// "1.2e5" and "0.5" as they are read.
double read(const std::string& text) {
  return std::stod(text);
}

Document with_x(const std::vector<float>& numbers) {
  Document document = small_document();
  std::vector<float> x(16);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = numbers[i % numbers.size()];
  document.layer().x = Tensor({1, 4, 4}, x);
  return document;
}

void show(GridLab& lab, const std::string& stage) {
  lab.view().canvas().reveal = stage;
  lab.frames(3);
}

}  // namespace

TEST_CASE("a number that has no room is rounded to a whole one only where two digits are left") {
  const GridLab lab;
  const ImFont* font = ImGui::GetIO().Fonts->Fonts[0];
  for (const float value : {1.43f, 0.45f, -0.34f, -15.08f, 999.96f, -12345.6f, 0.5f, 1e-9f})
    for (float room = 0; room < 70; ++room) {
      CAPTURE(value);
      CAPTURE(room);
      const std::string text = fitted_number({font, font, 2, room}, value).text;
      if (text.empty() || text == kTooLong) continue;
      CHECK((text.find('.') != std::string::npos || std::abs(value) >= 10));
      CHECK(std::abs(read(text) - value) <= std::max(0.05, 0.05 * std::abs(value)) + 1e-6);
    }
  const float room = text_width(font, "-27");
  CHECK(fitted_number({font, font, 2, room}, -26.78f).text == "-27");
  CHECK(fitted_number({font, font, 2, room}, -1.43f).text == kTooLong);
  CHECK(fitted_number({font, font, 2, text_width(font, "15")}, 15).text == "15");
}

TEST_CASE("a cell that has room for any number is never empty") {
  const GridLab lab;
  const ImFont* font = ImGui::GetIO().Fonts->Fonts[0];
  for (const float value : {1.5f, -kHuge, kHuge, -999.96f, std::numeric_limits<float>::denorm_min(), 0.0f})
    CHECK_FALSE(fitted_number({font, font, 2, text_width(font, "-8.8")}, value).text.empty());
}

TEST_CASE("the first example at 1024 x 768 and scale 2 has a decimal in every number of X") {
  GridLab lab(small_document(), {1024, 768}, 2);
  Document document = small_document();
  document.layer().x = Tensor({1, 4, 4}, {1.43f, 0.45f, 0.34f, 1.19f, -0.08f, -1.96f, 1.57f, -0.48f, 0.74f,
                                          0.0f, -0.75f, 1.32f, -1.76f, -0.27f, 0.31f, -1.13f});
  lab.app().change(document);
  lab.settle();
  show(lab, "x");
  for (std::size_t row = 0; row < 4; ++row)
    for (std::size_t column = 0; column < 4; ++column) {
      const std::string text = lab.text_in(lab.cell("x", row, column));
      CAPTURE(text);
      REQUIRE(text.find('.') != std::string::npos);
      CHECK(std::abs(read(text) - lab.x(row, column)) <= 0.05 + 1e-6);
    }
}

TEST_CASE("numbers of every length are written out at every size and scale") {
  for (const ImVec2 size : kGridSizes)
    for (const float scale : {1.0f, 2.0f})
      for (const std::vector<float>& numbers :
           {std::vector<float>{kHuge, -kHuge}, {-15.08f, 2.5f}, {-999.96f, 1e-3f}, {-54321.5f, 7}}) {
        CAPTURE(size.x);
        CAPTURE(scale);
        CAPTURE(numbers[0]);
        GridLab lab(with_x(numbers), size, scale);
        show(lab, "x");
        for (std::size_t column = 0; column < 4; ++column) {
          if (lab.cell("x", 0, column).max.x > lab.item("empty")->max.x) continue;  // the canvas scrolls
          const std::string text = lab.text_in(lab.cell("x", 0, column));
          const float value = lab.x(0, column);
          CAPTURE(text);
          REQUIRE_FALSE(text.empty());
          REQUIRE(text != kTooLong);
          CHECK(std::abs(read(text) - value) <= std::max(0.05, 0.05 * std::abs(value)) + 1e-6);
        }
      }
}

TEST_CASE("cells stay as they are while a number is dragged within its power of ten") {
  GridLab lab(with_x({-21.5f, 3}), {1024, 640}, 2);
  show(lab, "x");
  const float width = lab.cells("x").width();
  Document document = lab.document();
  document.layer().x = with_value(document.layer().x, {0, 0, 0}, -98.25f);
  lab.app().change(document);
  lab.settle();
  CHECK(lab.cells("x").width() == width);
}

TEST_CASE("where only dots have room the number is told at the pointer") {
  GridLab lab(with_x({-kHuge, 1.5f}));
  const ImFont* small = lab.theme().fonts.small;
  for (float zoom = 1; zoom > 0.3f; zoom -= 0.02f) {  // until "-8.8" fits and -1.0e38 does not
    lab.view().canvas().zoom = zoom;
    show(lab, "x");
    if (lab.text_in(lab.cell("x", 0, 0)) == kTooLong) break;
  }
  REQUIRE(lab.text_in(lab.cell("x", 0, 0)) == kTooLong);
  CHECK(lab.cell("x", 0, 0).width() < text_width(small, "-1e38") + 4);
  lab.move(lab.at("x", 0, 0));
  lab.frames(2);
  CHECK(lab.shows("= -1e+38"));
}
