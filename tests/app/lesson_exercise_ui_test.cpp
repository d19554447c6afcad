// Exercises beyond their answers: a row of one's own book, a fault beside the layer without it, numbers that
// an answer changed, plots that are not lit.
#include <doctest/doctest.h>

#include <cmath>

#include "core/compare/edit.h"
#include "tests/app/lesson_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

// Tall enough for all of a step.
struct TallLab : LessonLab {
  TallLab()
      : LessonLab({.document = read_document("eight-heads"), .settings = Settings{}, .size = {1600, 1800}}) {}
  void type_row(const std::string& numbers) {
    click_item("##own row");
    type(numbers);
    settle();
    frames(3);
  }
  std::string said() {
    std::string all;
    for (const DrawnText& text : texts()) all += text.text + ' ';
    return all;
  }
  void break_it(bool right) {
    press(GLFW_KEY_SPACE);
    REQUIRE(answer(0).thrown);
    const int thrown = static_cast<int>(*answer(0).thrown);
    press(GLFW_KEY_1 + (right ? thrown : (thrown + 1) % 3));
    if (!right) press(GLFW_KEY_1 + (thrown + 2) % 3);
    REQUIRE(answer(0).shown);
  }
};

}  // namespace

TEST_CASE("a row of one's own book is typed, held against the computed one, and its mistake is named") {
  TallLab lab;
  lab.play(3);
  const Document begun = lab.document();
  lab.type_row("0.2119 0.2119 0.5761");
  CHECK(lab.answer(1).own_row == "0.2119 0.2119 0.5761");
  CHECK(lab.find_text("0.5761"));
  CHECK(lab.find_text("off by 0.1242"));
  CHECK(lab.shows("They part at scaled"));
  CHECK(lab.document() == begun);
  CHECK(lab.played().step == 3);  // neither digits nor spaces were the lesson's
  CHECK_FALSE(lab.answer(0).thrown);
  lab.click_item("own/clear");
  lab.frames(3);
  CHECK(lab.answer(1).own_row.empty());
  CHECK_FALSE(lab.find_text("off by 0.1242"));
}

TEST_CASE("a row of one's own is pasted from a column, and refused where it does not fit") {
  TallLab lab;
  lab.play(3);
  ImGui::SetClipboardText("0.2741\n0.2741\n0.4519\n");
  lab.click_item("own/paste");
  lab.frames(3);
  CHECK(lab.said().find("✓ what is computed, as far as it is rounded") != std::string::npos);
  lab.click_item("own/clear");
  lab.frames(3);
  lab.type_row("0.5 0.5");
  CHECK(lab.said().find("2 numbers, but the row has 3") != std::string::npos);
}

TEST_CASE("a row of one's own is held against the row of the cell that is pinned") {
  TallLab lab;
  lab.play(3);
  lab.type_row("0.3837 0.3837 0.2327");
  CHECK(lab.said().find("These are the numbers of weights, row") != std::string::npos);
  lab.view().pinned = Spot{"weights", {0, 1, 2}};
  lab.frames(3);
  CHECK(lab.said().find("✓ what is computed") != std::string::npos);
}

TEST_CASE("a book is held against the step as it was met, whatever an answer made of it") {
  TallLab lab;
  lab.app().play_lesson("temperature", 1);
  lab.settle();
  lab.frames(3);
  REQUIRE(lab.find_text("0.7175"));
  lab.press(GLFW_KEY_1);
  lab.press(GLFW_KEY_DOWN);
  lab.press(GLFW_KEY_ENTER);
  CHECK(lab.document().softmax.temperature == 2);
  CHECK(lab.find_text("0.7175"));
  lab.type_row("0.7175 0.1311 0.0795 0.0719");
  CHECK(lab.said().find("✓ what is computed") != std::string::npos);
}
