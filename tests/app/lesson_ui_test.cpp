// A lesson as one plays it: by keys alone, by mouse, in a small window; what was open stays as it was.
#include <doctest/doctest.h>

#include <cmath>

#include "app/program/lesson_state.h"
#include "tests/app/lesson_lab.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("a lesson is walked through by keys alone, and Esc brings back what was open as it was") {
  LessonLab lab;
  lab.play();
  CHECK(lab.app().workspace().name == "pipeline");
  CHECK(lab.shows("step 1 of 4"));
  CHECK(lab.shows("0.50,"));  // the number of the live document
  CHECK(lab.shows("your own layer is kept"));
  std::vector<Document> begun;
  for (std::size_t step = 0; step < 4; ++step) {
    CHECK(lab.played().step == step);
    begun.push_back(lab.document());
    if (step < 3) lab.press(step % 2 ? GLFW_KEY_ENTER : GLFW_KEY_RIGHT);
  }
  CHECK(begun[2].layer().temperature == 2);
  CHECK(begun[3].layer().temperature == 1);
  for (std::size_t step = 4; step-- > 0;) {
    CHECK(lab.document() == begun[step]);
    if (step > 0) lab.press(GLFW_KEY_LEFT);
  }
  lab.press(GLFW_KEY_ESCAPE);
  CHECK_FALSE(lab.app().plays_lesson());
  CHECK(lab.document() == lab.own);
  CHECK(lab.app().look() == lab.own_look);
  CHECK(lab.steps() == 0);  // of the history, too
}

TEST_CASE("an answer is locked by Enter, shows the number, and going back finds all as it was left") {
  LessonLab lab;
  lab.play(1);
  lab.press(GLFW_KEY_1);
  lab.press(GLFW_KEY_2);
  CHECK(lab.answer(0).choice == 1);
  CHECK_FALSE(lab.shows("They moved"));
  lab.press(GLFW_KEY_ENTER);
  CHECK(lab.answer(0).shown);
  CHECK(lab.shows("yours ✓"));
  CHECK(lab.shows("moved by"));
  CHECK(lab.results()->output("scaled")[{0, 0, 0}] == doctest::Approx(1.5));
  lab.press(GLFW_KEY_1);  // too late
  CHECK(lab.answer(0).choice == 1);

  lab.press(GLFW_KEY_UP);
  lab.press(GLFW_KEY_UP);
  REQUIRE(lab.answer(1).guess);
  CHECK(*lab.answer(1).guess == doctest::Approx(0.6));
  lab.press(GLFW_KEY_SPACE);
  CHECK(lab.answer(1).shown);
  const float truth = lab.results()->output("weights")[{0, 0, 2}];
  CHECK(std::abs(static_cast<double>(truth) - 0.6) > 0.1);
  CHECK(lab.shows("off by"));
  CHECK_FALSE(lab.shows("near enough"));
  CHECK(lab.shows("yours ✓"));  // of the answer before, whose numbers are others now
  CHECK(lab.answer(0).after->output("scaled")[{0, 0, 0}] == doctest::Approx(1.5));

  const Document left = lab.document();
  const std::string look = lab.app().look();
  lab.press(GLFW_KEY_RIGHT);
  CHECK_FALSE(lab.document() == left);
  lab.press(GLFW_KEY_LEFT);
  CHECK(lab.document() == left);
  CHECK(lab.app().look() == look);
  CHECK(lab.shows("yours ✓"));
  const auto& answered = lab.played().record.lessons.at("rows").answered;
  CHECK(answered.at({1, 0}));
  CHECK_FALSE(answered.at({1, 1}));
}

TEST_CASE("Tab goes through the lit cells, a cell is an answer, and a goal counts however it is reached") {
  LessonLab lab;
  lab.play(2);
  for (int i = 0; i < 6; ++i) lab.press(GLFW_KEY_TAB);
  CHECK(lab.view().pinned == Spot{"weights", {0, 1, 2}});
  CHECK(lab.answer(0).cell == lab.view().pinned);
  lab.press(GLFW_KEY_RIGHT);  // the cell's own
  CHECK(lab.played().step == 2);
  const Tensor weights = lab.results()->output("weights");
  std::size_t largest = 0;
  for (std::size_t i = 1; i < 3; ++i)
    if (weights[{0, 1, i}] > weights[{0, 1, largest}]) largest = i;
  lab.view().pinned = Spot{"weights", {0, 1, largest}};
  lab.frames(2);
  lab.press(GLFW_KEY_SPACE);
  CHECK(lab.answer(0).shown);
  CHECK(lab.played().record.lessons.at("rows").answered.at({2, 0}));
  CHECK(lab.shows("not yet"));
  lab.press(GLFW_KEY_H);
  CHECK(lab.shows("follows"));
  lab.press(GLFW_KEY_H);  // the solution
  CHECK(lab.results()->output("weights")[{0, 0, 2}] > 0.9f);
  CHECK(lab.shows("reached"));
  CHECK(lab.answer(1).shown);
  lab.press(GLFW_KEY_F7);
  CHECK(lab.played().step == 1);
}

TEST_CASE("a fault is thrown in secret, never the same twice in a row, and told by two guesses") {
  LessonLab lab;
  lab.play(3);
  const Document sound = lab.document();
  std::optional<std::size_t> last;
  for (int i = 0; i < 6; ++i) {
    lab.app().show_lesson_answer(0);
    lab.settle();
    lab.frames(2);
    REQUIRE(lab.answer(0).thrown);
    CHECK(lab.answer(0).thrown != last);
    last = lab.answer(0).thrown;
    CHECK_FALSE(lab.document() == sound);
  }
  const std::size_t wrong = *last == 0 ? 1 : 0;
  lab.press(GLFW_KEY_1 + static_cast<int>(wrong));
  CHECK_FALSE(lab.answer(0).shown);
  CHECK(lab.shows("guess 2 of 2"));
  lab.press(GLFW_KEY_1 + static_cast<int>(*last));
  CHECK(lab.answer(0).shown);
  CHECK(lab.played().record.lessons.at("rows").answered.at({3, 0}));
}

TEST_CASE("a printed row stands beside the computed one, with how far they are apart") {
  LessonLab lab;
  lab.play(3);
  CHECK(lab.find_text("0.5376"));
  CHECK(lab.find_text("0.4519"));
  CHECK(lab.find_text("off by 0.0857"));
  CHECK(lab.shows("weights, row “"));
}

TEST_CASE("what is not lit is dimmed, and its mark stands at the cells in its colour and number") {
  LessonLab lab;
  lab.play();
  const Lit& lit = lab.view().of<Lit>();
  CHECK(lights(lit, "scaled", {0, 0, 1}));
  CHECK_FALSE(lights(lit, "scaled", {0, 1, 1}));
  CHECK(lights_in_part(lit, "scaled"));
  CHECK_FALSE(lights(lit, "weights"));
  const ImU32 colour = mark_colour(lab.theme(), 1);
  std::size_t marks = 0, numbers = 0;
  for (const DrawnText& text : lab.texts()) {
    if (text.text == "1" && text.colour == ink_on(colour)) ++marks;
    if (text.text.starts_with("0.50,") && text.colour == colour) ++numbers;
  }
  CHECK(marks >= 2);  // on the canvas and in the text
  CHECK(numbers >= 1);
}

TEST_CASE("a number of the text and its cells point at each other") {
  LessonLab lab;
  lab.play();
  lab.move(lab.in_lesson("0.50,"));
  lab.frames(3);
  REQUIRE(lab.view().of<Lit>().pointed.size() == 1);
  CHECK(lab.view().of<Lit>().pointed[0].stage == "scaled");
  lab.move({5, 500});
  lab.frames(3);
  CHECK(lab.view().of<Lit>().pointed.empty());
}

TEST_CASE("G looks at the own layer and back; what is changed there is changed, and only there") {
  LessonLab lab;
  lab.play(1);
  const Document theirs = lab.document();
  lab.press(GLFW_KEY_G);
  CHECK(lab.played().on_own);
  CHECK(lab.document() == lab.own);
  CHECK(lab.app().workspace().name == "pipeline");
  lab.press(GLFW_KEY_G);
  CHECK(lab.document() == theirs);
  lab.press(GLFW_KEY_ESCAPE);
  CHECK(lab.document() == lab.own);
  CHECK(lab.app().look() == lab.own_look);
}

TEST_CASE("the course and the buttons lead by mouse to any step") {
  LessonLab lab;
  lab.play();
  lab.click_item("next");
  lab.settle();
  lab.frames(3);
  CHECK(lab.played().step == 1);
  lab.click_item("back");
  lab.settle();
  lab.frames(3);
  CHECK(lab.played().step == 0);
  lab.click_item("step 4");
  lab.settle();
  lab.frames(3);
  CHECK(lab.played().step == 3);
  CHECK(lab.shows("step 4 of 4"));
}

TEST_CASE("below the course one begins to record a lesson of one's own") {
  LessonLab lab;
  lab.play();
  lab.click_item("record a lesson");
  lab.settle();
  lab.frames(2);
  CHECK(lab.shows("Recording a lesson: no step yet"));
  CHECK_FALSE(lab.reveal("record a lesson"));
}

TEST_CASE("where a setting is the task the controls stand in place of the course") {
  LessonLab lab;
  const auto play = [&](std::size_t step) {
    lab.app().play_lesson("temperature", step);
    lab.settle();
  };
  const std::size_t last = read_lesson("temperature").steps.size() - 1;
  play(last);
  CHECK_FALSE(lab.shows("Course"));
  CHECK(lab.reveal("##temperature"));
  play(last - 1);
  CHECK(lab.shows("Course"));
  CHECK_FALSE(lab.reveal("##temperature"));
}

TEST_CASE("place and answers are kept in the state folder, and the own work for the next start") {
  const ScratchFolder places;
  const Store store(places / "config", places / "state");
  {
    LessonLab lab({.document = read_document("eight-heads"), .settings = Settings{}, .store = store});
    lab.play(1);
    lab.press(GLFW_KEY_2);
    lab.press(GLFW_KEY_ENTER);
    lab.app().remember();
  }
  const LessonRecord record = store.load_lessons();
  REQUIRE(record.lessons.contains("rows"));
  CHECK(record.last == "rows");
  CHECK(record.lessons.at("rows").step == 1);
  CHECK(record.lessons.at("rows").answered.at({1, 0}));
  const auto kept = store.load_recovery();
  REQUIRE(kept);
  CHECK(kept->document == read_document("eight-heads"));
}

TEST_CASE("in small windows nothing of a lesson is cut, and no words lie on others") {
  for (const auto& [size, scale] : {std::pair(ImVec2{1600, 1000}, 1.0f), std::pair(ImVec2{1024, 640}, 1.0f),
                                    std::pair(ImVec2{1280, 800}, 1.5f)}) {
    CAPTURE(size.x);
    LessonLab lab(
        {.document = read_document("eight-heads"), .settings = Settings{}, .size = size, .scale = scale});
    for (std::size_t step = 0; step < 4; ++step) {
      lab.play(step);
      CAPTURE(step);
      const Layout layout = make_lesson_layout(size, lab.theme(), Settings(), {});
      if (!layout.inspector_folded) {
        check_whole(lab, layout.inspector, "the lesson");
        check_words_apart(lab, layout.inspector);
      }
      if (!layout.controls_folded) check_whole(lab, layout.controls, "the course");
    }
  }
}

TEST_CASE("where the lesson is folded the canvas says its step, and shows what is lit") {
  LessonLab lab(
      {.document = read_document("eight-heads"), .settings = Settings{}, .size = {1024, 768}, .scale = 2});
  lab.play(0);
  CHECK(lab.find_text("A row"));
  CHECK(lab.shows("step 1 of 4"));
  CHECK(lab.shows("1.00 is the first row"));
  lab.play(2);
  CHECK(lab.find_text("weights"));
}

TEST_CASE("what is opened takes the place of the own work, not of the lesson's") {
  LessonLab lab;
  lab.play();
  lab.app().open("cross-attention");
  lab.settle();
  lab.frames(2);
  CHECK_FALSE(lab.app().plays_lesson());
  CHECK(lab.document() == read_document("cross-attention"));
  lab.undo();
  CHECK(lab.document() == lab.own);
}

TEST_CASE("a lesson that cannot be read is told why, and nothing changes") {
  LessonLab lab;
  std::ofstream(lab.folder / "bad.md")
      << "# Bad\ngoal: none\n\n## One\nopen: three-tokens\nlok: pipeline\n\nText.\n";
  lab.app().play_lesson(lab.folder / "bad.md");
  CHECK_FALSE(lab.app().plays_lesson());
  CHECK(lab.view().message.find("line 6") != std::string::npos);
  CHECK(lab.document() == lab.own);
}
