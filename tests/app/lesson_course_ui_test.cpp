// The whole course by keys alone: every text can be said, nothing is cut, every mark stands on the canvas,
// every exercise is answered, every way back leads to the same document.
#include <doctest/doctest.h>

#include <algorithm>

#include "app/frame/drawn_parts.h"
#include "app/program/lesson_state.h"
#include "app/widgets/focus.h"
#include "tests/app/lesson_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

// A step as it is drawn.
void check_step(LessonLab& lab, ImVec2 size) {
  const Layout layout =
      make_lesson_layout(size, lab.theme(), Settings(), {.with_controls = lab.played().needs_controls()});
  CHECK_FALSE(lab.shows("cannot be computed"));
  CHECK_MESSAGE(!lab.view().message_is_error, lab.view().message);
  check_whole(lab, layout.inspector, "the lesson");
  check_whole(lab, layout.controls, "the course");
}

// Where there is room for all of the canvas.
void check_marks(LessonLab& lab) {
  for (const LessonMark& mark : lab.played().now().marks)
    CHECK_MESSAGE(
        std::ranges::count(lab.app().memos().of<DrawnParts>().matrices, mark.at.stage, &DrawnPart::name) > 0,
        "mark " << mark.number << " stands nowhere: no matrix " << mark.at.stage);
}

// While a cell is selected keys are its own; behind that they are the lesson's.
void let_go(LessonLab& lab) {
  if (lab.view().grid.selection) lab.press(GLFW_KEY_ESCAPE);
  CHECK(ringed_item() == 0);
}

// To a cell that can be an answer.
void choose_cell(LessonLab& lab, std::size_t exercise) {
  for (int i = 0; i < 256 && !lab.answer(exercise).cell; ++i) lab.press(GLFW_KEY_TAB);
}

void answer(LessonLab& lab, std::size_t i) {
  const LessonExercise& exercise = lab.played().now().exercises[i];
  CAPTURE(exercise.line);
  switch (exercise.kind) {
    case LessonExercise::choice:
      lab.press(GLFW_KEY_1);
      lab.press(GLFW_KEY_ENTER);
      break;
    case LessonExercise::curve:
      lab.press(GLFW_KEY_2);
      lab.press(GLFW_KEY_UP);
      lab.press(GLFW_KEY_SPACE);
      break;
    case LessonExercise::slider:
      lab.press(GLFW_KEY_UP);
      lab.press(GLFW_KEY_SPACE);
      break;
    case LessonExercise::click:
      choose_cell(lab, i);
      lab.press(GLFW_KEY_SPACE);
      let_go(lab);
      break;
    case LessonExercise::fault:
      lab.press(GLFW_KEY_SPACE);
      lab.press(GLFW_KEY_1);
      if (!lab.answer(i).shown) lab.press(GLFW_KEY_2);
      break;
    case LessonExercise::goal:
      for (std::size_t hint = 0; hint <= exercise.hints.size(); ++hint) lab.press(GLFW_KEY_H);
      break;
    default:  // nothing is asked
      return;
  }
  CHECK(lab.answer(i).shown);
  CHECK(lab.played().record.lessons.at(lab.played().lesson->name).answered.contains({lab.played().step, i}));
}

void answer_all(LessonLab& lab) {
  for (std::size_t i = 0; i < lab.played().now().exercises.size(); ++i) answer(lab, i);
}

}  // namespace

TEST_CASE("every lesson is walked to its end and back by keys, in a small window" *
          doctest::test_suite("long")) {
  const ImVec2 size{1024, 640};
  LessonLab lab({.document = read_document("eight-heads"), .settings = Settings{}, .size = size});
  for (const std::string& name : lesson_names()) {
    CAPTURE(name);
    lab.app().play_lesson(name);
    lab.settle();
    lab.frames(2);
    REQUIRE(lab.app().plays_lesson());
    const std::size_t count = lab.played().lesson->steps.size();
    std::vector<Document> left;
    for (std::size_t step = 0; step < count; ++step) {
      CAPTURE(step);
      REQUIRE(lab.played().step == step);
      check_step(lab, size);
      answer_all(lab);
      check_step(lab, size);
      left.push_back(lab.document());
      if (step + 1 < count) lab.press(GLFW_KEY_RIGHT);
    }
    for (std::size_t step = count; step-- > 0;) {
      CAPTURE(step);
      CHECK(lab.document() == left[step]);
      if (step > 0) lab.press(GLFW_KEY_LEFT);
    }
    lab.press(GLFW_KEY_ESCAPE);
    if (lab.app().plays_lesson()) lab.press(GLFW_KEY_ESCAPE);  // it had pinned something
    REQUIRE_FALSE(lab.app().plays_lesson());
    CHECK(lab.document() == lab.own);
    CHECK(lab.app().look() == lab.own_look);
  }
}

TEST_CASE("every mark of the course stands on the canvas" * doctest::test_suite("long")) {
  LessonLab lab({.document = read_document("eight-heads"), .settings = Settings{}, .size = {1600, 1000}});
  for (const std::string& name : lesson_names()) {
    CAPTURE(name);
    for (std::size_t step = 0; step < read_lesson(name).steps.size(); ++step) {
      CAPTURE(step);
      lab.app().play_lesson(name, step);
      lab.settle();
      lab.frames(2);
      check_marks(lab);
    }
  }
}
