// The whole course by keys alone: every text can be said, nothing is cut, every way back leads to the same
// document.
#include <doctest/doctest.h>

#include "app/program/lesson_state.h"
#include "tests/app/lesson_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

// A step as it is drawn.
void check_step(LessonLab& lab, Rect panel, Rect course) {
  CHECK_FALSE(lab.shows("cannot be said"));
  CHECK_MESSAGE(!lab.view().message_is_error, lab.view().message);
  check_whole(lab, panel, "the lesson");
  check_whole(lab, course, "the course");
}

}  // namespace

TEST_CASE("every lesson is walked to its end and back by keys, in a small window" *
          doctest::test_suite("long")) {
  const ImVec2 size{1024, 640};
  LessonLab lab({.document = read_document("eight-heads"), .settings = Settings{}, .size = size});
  const Layout layout = make_layout(size, lab.theme(), Settings());
  for (const std::string& name : lesson_names()) {
    CAPTURE(name);
    lab.app().play_lesson(name);
    lab.settle();
    lab.frames(2);
    REQUIRE(lab.app().plays_lesson());
    const std::size_t count = lab.played().lesson->steps.size();
    std::vector<Document> begun;
    for (std::size_t step = 0; step < count; ++step) {
      CAPTURE(step);
      REQUIRE(lab.played().step == step);
      begun.push_back(lab.document());
      check_step(lab, layout.inspector, layout.controls);
      if (step + 1 < count) lab.press(GLFW_KEY_RIGHT);
    }
    for (std::size_t step = count; step-- > 0;) {
      CAPTURE(step);
      CHECK(lab.document() == begun[step]);
      if (step > 0) lab.press(GLFW_KEY_LEFT);
    }
    lab.press(GLFW_KEY_ESCAPE);
    if (lab.app().plays_lesson()) lab.press(GLFW_KEY_ESCAPE);  // it had pinned something
    REQUIRE_FALSE(lab.app().plays_lesson());
    CHECK(lab.document() == lab.own);
    CHECK(lab.app().look() == lab.own_look);
  }
}
