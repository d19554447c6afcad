// A lesson on a projector: page by page by the keys of a clicker, answered by digits, nothing cut.
#include <doctest/doctest.h>

#include "app/frame/present_view.h"
#include "app/program/lesson_state.h"
#include "tests/app/lesson_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

Headless::Options on_projector(ThemeName theme = ThemeName::dark) {
  Settings settings;
  settings.theme = theme;
  return {.document = read_document("eight-heads"), .settings = settings, .size = {1024, 768}, .scale = 2};
}

void begin(LessonLab& lab, std::size_t step) {
  lab.play(step);
  lab.press(GLFW_KEY_F5);
  REQUIRE(presents(lab.view()));
}

void turn_to(LessonLab& lab, std::optional<std::size_t> exercise) {
  for (std::size_t i = 0; i < 9 && lab.played().slide.exercise != exercise; ++i)
    lab.press(GLFW_KEY_PAGE_DOWN);
  REQUIRE(lab.played().slide.exercise == exercise);
}

// Words are whole, and none lies on another where that is asked.
void check_page(LessonLab& lab, bool apart = true) {
  CAPTURE(lab.played().step);
  CAPTURE(lab.played().slide.page);
  const Rect window{{0, 0}, ImGui::GetIO().DisplaySize};
  for (const DrawnText& text : lab.texts()) {
    CAPTURE(text.text);
    CHECK(text.box.max.x <= window.max.x + 1);
  }
  check_whole(lab, window, "the window");
  if (apart) check_words_apart(lab, window);
  CHECK_FALSE(lab.shows("cannot be computed"));
}

// Every page of every step from here on.
void check_all_pages(LessonLab& lab, bool apart = true) {
  const auto lesson = lab.played().lesson;
  for (std::size_t i = 0; i < 200; ++i) {
    check_page(lab, apart);
    const LessonSlide& slide = lab.played().slide;
    if (lab.played().step + 1 == lesson->steps.size() && slide.page + 1 == slide.pages) return;
    lab.press(GLFW_KEY_PAGE_DOWN);
    REQUIRE(lab.played().lesson == lesson);
  }
  FAIL("the pages have no end");
}

}  // namespace

TEST_CASE("F5 presents what a step lights and says, large; Esc leaves that, and then the lesson") {
  LessonLab lab(on_projector());
  begin(lab, 0);
  CHECK(lab.theme().scale > 2);
  const auto title = lab.find_text("A row");
  REQUIRE(title);
  CHECK(title->height() > 50);
  CHECK(lab.shows("0.50,"));  // the number of the live document
  const auto cells = lab.item("scaled/cells");
  REQUIRE(cells);
  CHECK(cells->min.y > title->max.y);
  CHECK(cells->height() > 0.2f * ImGui::GetIO().DisplaySize.y);
  CHECK_FALSE(lab.item("weights/cells"));  // not lit
  CHECK(lab.shows("step 1 of 4"));
  lab.press(GLFW_KEY_ESCAPE);
  CHECK_FALSE(presents(lab.view()));
  CHECK(lab.app().plays_lesson());
  lab.press(GLFW_KEY_ESCAPE);
  CHECK_FALSE(lab.app().plays_lesson());
  CHECK(lab.document() == lab.own);
  CHECK(lab.app().look() == lab.own_look);
}

TEST_CASE("a clicker turns the pages of a lesson, each exercise is one; digits and Enter answer it") {
  LessonLab lab(on_projector());
  begin(lab, 0);
  while (lab.played().step == 0) lab.press(GLFW_KEY_PAGE_DOWN);
  CHECK(lab.played().step == 1);
  CHECK_FALSE(lab.played().slide.exercise);
  lab.press(GLFW_KEY_1);  // nothing is asked here
  CHECK_FALSE(lab.answer(0).choice);
  turn_to(lab, 0);
  CHECK(lab.shows("rise too"));
  CHECK_FALSE(lab.shows("The last score"));
  lab.press(GLFW_KEY_2);
  CHECK_FALSE(lab.shows("They moved"));
  lab.press(GLFW_KEY_ENTER);
  CHECK(lab.answer(0).shown);
  CHECK(lab.shows("yours ✓"));
  CHECK(presents(lab.view()));
  lab.press(GLFW_KEY_ENTER);  // nothing is left to be shown: on
  REQUIRE(lab.played().slide.exercise == 1);
  lab.press(GLFW_KEY_UP);
  lab.press(GLFW_KEY_SPACE);
  CHECK(lab.answer(1).shown);
  CHECK(lab.shows("off by"));
  turn_to(lab, 2);
  CHECK(lab.shows("drag across to draw"));
  lab.press(GLFW_KEY_2);
  const double before = lab.answer(2).curve.empty() ? 0 : lab.answer(2).curve[1];
  lab.press(GLFW_KEY_UP);
  REQUIRE(lab.answer(2).curve.size() == 3);
  CHECK(lab.answer(2).curve[1] > before);
  lab.press(GLFW_KEY_PAGE_DOWN);
  CHECK(lab.played().step == 2);
  CHECK(presents(lab.view()));
  lab.press(GLFW_KEY_PAGE_UP);  // the page before it
  CHECK(lab.played().step == 1);
  CHECK(lab.played().slide.exercise == 2);
  lab.press(GLFW_KEY_HOME);
  CHECK(lab.played().step == 0);
  lab.press(GLFW_KEY_END);
  CHECK(lab.played().step == 3);
}

TEST_CASE("behind the last page of a lesson the next one is presented, and the last one ends with that") {
  LessonLab lab(on_projector());
  lab.app().play_lesson(lesson_names().front(), 0);
  lab.settle();
  lab.press(GLFW_KEY_F5);
  lab.press(GLFW_KEY_END);
  for (int i = 0; i < 20 && lab.played().lesson->name == lesson_names().front(); ++i)
    lab.press(GLFW_KEY_PAGE_DOWN);
  CHECK(lab.played().lesson->name == lesson_names()[1]);
  CHECK(presents(lab.view()));
  lab.app().play_lesson(lesson_names().back(), 0);
  lab.settle();
  lab.press(GLFW_KEY_END);
  for (int i = 0; i < 20 && lab.app().plays_lesson(); ++i) lab.press(GLFW_KEY_PAGE_DOWN);
  CHECK_FALSE(lab.app().plays_lesson());
  CHECK_FALSE(presents(lab.view()));
  CHECK(lab.document() == lab.own);
}

TEST_CASE("on a projector no word of a lesson is cut or lies on another, whatever was answered") {
  for (const ThemeName theme : {ThemeName::dark, ThemeName::light}) {
    LessonLab lab(on_projector(theme));
    begin(lab, 0);
    check_all_pages(lab);
    lab.app().go_to_lesson_step(3);
    lab.frames(3);
    turn_to(lab, 0);
    lab.press(GLFW_KEY_SPACE);
    check_page(lab);
    lab.press(GLFW_KEY_1);
    lab.press(GLFW_KEY_2);
    CHECK(lab.answer(0).shown);
    check_page(lab);
  }
}

TEST_CASE("every page of every lesson is whole on a projector" * doctest::test_suite("long")) {
  LessonLab lab(on_projector());
  lab.play();
  lab.press(GLFW_KEY_F5);
  for (const std::string& name : lesson_names()) {
    CAPTURE(name);
    lab.app().play_lesson(name, 0);
    lab.settle();
    lab.frames(3);
    REQUIRE(presents(lab.view()));
    check_all_pages(lab, false);  // ① may touch a cell, “now” the end of a slider
  }
}
