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

TEST_CASE(
    "a fault that is known stands in Compare beside the layer without it, and Esc brings the step back") {
  for (const bool right : {true, false}) {
    CAPTURE(right);
    TallLab lab;
    lab.play(3);
    const Document sound = lab.document();
    lab.break_it(right);
    const Document broken = lab.document();
    const std::string look = lab.app().look();
    lab.run("lesson.compare");
    CHECK(lab.app().workspace().takes == ImportKind::layer);
    CHECK(lab.document().layer() == sound.layer());
    CHECK(compared_layer(lab.document(), compared_address(lab.document())) == broken.layer());
    CHECK(lab.played().comparing);
    CHECK(lab.shows("back to the step"));
    CHECK(lab.view().of<Lit>().cells.empty());
    lab.press(GLFW_KEY_ESCAPE);
    CHECK(lab.app().plays_lesson());
    CHECK_FALSE(lab.played().comparing);
    CHECK(lab.document() == broken);
    CHECK(lab.app().look() == look);
    CHECK(lab.answer(0).shown);
    lab.press(GLFW_KEY_ESCAPE);
    CHECK(lab.document() == lab.own);
    CHECK(lab.app().look() == lab.own_look);
  }
}

TEST_CASE("from Compare the lesson goes on, back and over to the own layer as from the step itself") {
  TallLab lab;
  lab.play(3);
  lab.break_it(true);
  const Document broken = lab.document();
  lab.run("lesson.compare");
  lab.press(GLFW_KEY_F7);
  CHECK(lab.played().step == 2);
  CHECK(lab.app().workspace().name == "pipeline");
  lab.app().go_to_lesson_step(3);
  lab.settle();
  CHECK_FALSE(lab.played().comparing);

  lab.play(3);
  lab.break_it(true);
  lab.run("lesson.compare");
  lab.press(GLFW_KEY_G);
  CHECK(lab.played().on_own);
  CHECK(lab.document() == lab.own);
  lab.press(GLFW_KEY_G);
  CHECK(lab.document().layer() != read_document("three-tokens").layer());
  lab.run("lesson.compare");
  lab.app().show_lesson_answer(0);  // another fault
  lab.settle();
  lab.frames(2);
  CHECK_FALSE(lab.played().comparing);
  CHECK(lab.answer(0).thrown);
  CHECK_FALSE(lab.answer(0).shown);
  CHECK(lab.app().workspace().name == "pipeline");
}

TEST_CASE("before its fault is known nothing is shown in Compare") {
  TallLab lab;
  lab.play(3);
  CHECK_FALSE(lab.app().can_compare_fault());
  CHECK_FALSE(lab.shows("What was broken?"));
  lab.press(GLFW_KEY_SPACE);
  CHECK(lab.shows("What was broken?"));
  CHECK_FALSE(lab.app().can_compare_fault());
  lab.app().compare_fault();
  CHECK_FALSE(lab.played().comparing);
}

TEST_CASE("numbers that an answer changed are outlined and say what they were, until the step is another") {
  TallLab lab;
  lab.play(1);
  CHECK_FALSE(lab.view().before.results);
  lab.press(GLFW_KEY_2);
  lab.press(GLFW_KEY_ENTER);
  REQUIRE(lab.answer(0).shown);
  CHECK(lab.view().before.results == lab.answer(0).before);
  CHECK(lab.said().find("3 changed") != std::string::npos);  // of scaled
  lab.press(GLFW_KEY_RIGHT);
  CHECK_FALSE(lab.view().before.results);
  lab.press(GLFW_KEY_LEFT);
  CHECK(lab.view().before.results == lab.answer(0).before);
  lab.press(GLFW_KEY_ESCAPE);
  CHECK_FALSE(lab.view().before.results);
}

TEST_CASE("a plot is dimmed where a step lights stages and none that it shows") {
  TallLab lab;
  lab.app().play_lesson("temperature", 1);  // lights scores, tempered scores and weights
  lab.settle();
  lab.frames(3);
  const ImU32 veil = with_alpha(lab.theme().canvas, 1 - kUnlit);
  const auto veils = [&](const std::string& id) {
    const Rect box = lab.plot(id);
    const ImDrawData& data = lab.draw_data();
    for (int i = 0; i < data.CmdListsCount; ++i)
      for (const ImDrawVert& corner : data.CmdLists[i]->VtxBuffer)
        if (corner.col == veil && std::abs(corner.pos.x - box.min.x) < 6 &&
            std::abs(corner.pos.y - box.min.y) < 6)
          return true;
    return false;
  };
  CHECK_FALSE(veils("row"));
  CHECK_FALSE(veils("weights"));
  CHECK(veils("products"));
  CHECK(veils("entropy"));
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
