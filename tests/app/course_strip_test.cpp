// The course of a lesson, folded to a strip of dots.
#include <doctest/doctest.h>

#include <imgui_internal.h>

#include <algorithm>

#include "app/frame/layout.h"
#include "tests/app/lesson_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

Headless::Options at(ImVec2 size, float scale = 1) {
  return {.document = read_document("eight-heads"), .settings = Settings{}, .size = size, .scale = scale};
}

void click(LessonLab& lab, const char* item) {
  lab.click_item(item);
  lab.settle();
  lab.frames(3);
}

}  // namespace

TEST_CASE("the person folds the course to dots, goes to a step by one, and unfolds it") {
  LessonLab lab(at({1600, 1000}));
  lab.play();
  const float canvas = lab.app().lesson().lesson ? lab.item("scaled/cells")->min.x : 0;
  CHECK(lab.shows("Course"));
  lab.press(GLFW_KEY_B, {.control = true});
  CHECK_FALSE(lab.shows("Course"));
  CHECK(lab.item("scaled/cells")->min.x < canvas);
  REQUIRE(lab.item("step 4"));
  CHECK(lab.item("step 4")->max.x < 40);
  lab.move(centre(*lab.item("step 4")));
  lab.frames(60);
  CHECK(lab.shows("Broken"));
  click(lab, "step 4");
  CHECK(lab.played().step == 3);
  click(lab, "course strip/chevron");
  CHECK(lab.shows("Course"));
  click(lab, "fold");
  CHECK_FALSE(lab.shows("Course"));
  lab.press(GLFW_KEY_ESCAPE);
  CHECK(lab.view().settings.show_controls);  // of the own work, they are there again
  CHECK(lab.item("##left"));
}

TEST_CASE("a ring of the strip plays its lesson from where it was left") {
  LessonLab lab(at({1024, 640}));
  lab.app().play_lesson("softmax", 2);
  lab.settle();
  lab.app().play_lesson("tour", 0);
  lab.settle();
  lab.frames(3);
  REQUIRE(lab.item("lesson softmax"));
  CHECK(lab.item("lesson softmax")->max.x < 40);
  click(lab, "lesson softmax");
  CHECK(lab.played().lesson->name == "softmax");
  CHECK(lab.played().step == 2);
}

TEST_CASE("in a narrow window the course is a strip, which opens over the canvas") {
  for (const auto& [size, scale] : {std::pair(ImVec2{1024, 640}, 1.0f), std::pair(ImVec2{1024, 768}, 2.0f)}) {
    CAPTURE(scale);
    LessonLab lab(at(size, scale));
    lab.play();
    CHECK_FALSE(lab.shows("Course"));
    REQUIRE(lab.item("step 1"));
    click(lab, "course strip/chevron");
    CHECK(lab.shows("Course"));
    lab.press(GLFW_KEY_ESCAPE);
    CHECK_FALSE(lab.shows("Course"));
    CHECK(lab.app().plays_lesson());
  }
}

TEST_CASE("beside the controls, where they are needed, the course is a strip") {
  LessonLab lab(at({1600, 1000}));
  lab.app().play_lesson("temperature", 0);
  lab.settle();
  const std::size_t last = lab.played().lesson->steps.size() - 1;
  lab.app().go_to_lesson_step(last);
  lab.settle();
  lab.frames(3);
  REQUIRE(lab.played().needs_controls());
  CHECK(lab.reveal("##temperature"));
  REQUIRE(lab.item("step 1"));
  CHECK(lab.item("step 1")->max.x < 40);
  CHECK_FALSE(lab.item("course strip/chevron"));
  click(lab, "step 1");
  CHECK(lab.played().step == 0);
}

TEST_CASE("Tab reaches the dots of the folded course") {
  LessonLab lab(at({1600, 1000}));
  lab.play();
  lab.press(GLFW_KEY_B, {.control = true});
  const auto on_dot = [&] {
    const ImGuiID ringed = ImGui::GetCurrentContext()->NavId;
    return std::ranges::any_of(lab.items(), [&](const Item& item) {
      return item.id == ringed && item.path == "step 3" && item.box.max.x < 40;
    });
  };
  for (int i = 0; i < 80 && !on_dot(); ++i) {
    lab.press(GLFW_KEY_TAB, {.shift = true});
  }
  REQUIRE(on_dot());
  lab.press(GLFW_KEY_ENTER);
  CHECK(lab.played().step == 2);
}
