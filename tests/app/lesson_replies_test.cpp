// What was said to the exercises of a lesson, from one start to the next.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "tests/app/lesson_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

Headless::Options with(const Store& store) {
  return {.document = read_document("eight-heads"), .settings = Settings{}, .store = store};
}

// Where a person comes back to.
void come_back(LessonLab& lab, std::size_t step) {
  lab.play(step);
  lab.settle();
  lab.frames(4);
}

void write(const std::string& path, const std::string& text) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path) << text;
}

std::string one_answer(const std::string& answer) {
  return R"({"last": "rows", "lessons": {"rows": {"step": 1, "seen": [0, 1], "answers": [)" + answer + "]}}}";
}

}  // namespace

TEST_CASE("who comes back to a lesson sees what they said: locked what was shown, open what was not") {
  const ScratchFolder places;
  const Store store(places / "config", places / "state");
  {
    LessonLab lab(with(store));
    lab.play(1);
    lab.press(GLFW_KEY_2);
    lab.press(GLFW_KEY_ENTER);
    lab.press(GLFW_KEY_UP);
    REQUIRE(lab.answer(1).guess);
    lab.press(GLFW_KEY_ESCAPE);
    if (lab.app().plays_lesson()) lab.press(GLFW_KEY_ESCAPE);
  }
  LessonLab lab(with(store));
  come_back(lab, 1);
  CHECK(lab.answer(0).choice == 1);
  CHECK(lab.answer(0).shown);
  CHECK(lab.shows("yours ✓"));
  CHECK(lab.results()->output("scaled")[{0, 0, 0}] == doctest::Approx(1.5));  // what its answer did
  lab.press(GLFW_KEY_RIGHT);
  lab.press(GLFW_KEY_LEFT);
  CHECK(lab.answer(0).shown);
  CHECK(lab.answer(1).guess == doctest::Approx(0.55));
  CHECK_FALSE(lab.answer(1).shown);
  lab.press(GLFW_KEY_1);  // is for the slider now
  CHECK(lab.answer(0).choice == 1);
  lab.press(GLFW_KEY_SPACE);
  CHECK(lab.answer(1).shown);
}

TEST_CASE("a cell, a goal and the guesses at a fault are kept, too") {
  const ScratchFolder places;
  const Store store(places / "config", places / "state");
  std::optional<Spot> cell;
  std::optional<std::size_t> fault;
  {
    LessonLab lab(with(store));
    lab.play(2);
    for (int i = 0; i < 6; ++i) lab.press(GLFW_KEY_TAB);
    lab.press(GLFW_KEY_SPACE);
    cell = lab.answer(0).cell;
    REQUIRE(cell);
    lab.press(GLFW_KEY_H);
    lab.press(GLFW_KEY_H);
    REQUIRE(lab.answer(1).shown);
    lab.play(3);
    lab.press(GLFW_KEY_SPACE);
    fault = lab.answer(0).thrown;
    REQUIRE(fault);
    suspect(lab.played().answer(0), *fault);
    lab.frames(2);
    REQUIRE(lab.answer(0).shown);
    lab.app().remember();
  }
  LessonLab lab(with(store));
  come_back(lab, 2);
  CHECK(lab.answer(0).cell == cell);
  CHECK(lab.answer(0).shown);
  CHECK(lab.answer(1).shown);
  come_back(lab, 3);
  CHECK(lab.answer(0).thrown == fault);
  CHECK(lab.answer(0).shown);
  CHECK_FALSE(lab.document() == lab.answer(0).sound);
}

TEST_CASE("a file of an older version is read, and what an exercise cannot have is passed over") {
  const ScratchFolder places;
  const Store store(places / "config", places / "state");
  const std::string file = places / "state/lessons.json";
  write(file, one_answer(R"({"step": 1, "exercise": 0, "right": true})"));
  const LessonRecord old = store.load_lessons();
  CHECK(old.lessons.at("rows").answered.at({1, 0}));
  CHECK(old.lessons.at("rows").replies.empty());
  for (const char* answer :
       {R"({"step": 1, "exercise": 0, "choice": 99, "shown": true})",
        R"({"step": 1, "exercise": 0, "choice": -1, "shown": "yes"})",
        R"({"step": 1, "exercise": 0, "guess": 0.5, "cell": [0, 1], "stage": 7, "shown": true})",
        R"({"step": 1, "exercise": 0, "fault": 99, "suspected": {"a": 1}, "shown": true})", "7"}) {
    CAPTURE(answer);
    write(file, one_answer(answer));
    LessonLab lab(with(store));
    come_back(lab, 1);
    CHECK_FALSE(lab.answer(0).shown);
    CHECK_FALSE(is_answered(lab.played().now().exercises[0], lab.answer(0)));
  }
}

TEST_CASE("what is kept of lessons is written and read as it is") {
  const ScratchFolder places;
  Store store(places / "config", places / "state");
  LessonRecord record{.last = "rows"};
  LessonProgress& rows = record.lessons["rows"];
  rows.step = 2, rows.seen = {0, 1, 2};
  rows.answered[{1, 0}] = false;
  rows.replies[{1, 0}] = {.choice = 2, .shown = true};
  rows.replies[{1, 1}] = {.guess = 0.125};
  rows.replies[{1, 2}] = {.curve = {0.25, 0.5}, .shown = true};
  rows.replies[{2, 0}] = {.cell = Spot{"weights", {0, 1, 2}}, .shown = true};
  rows.replies[{3, 0}] = {.thrown = 1, .suspected = {0, 1}, .shown = true};
  store.save_lessons(record);
  CHECK(store.load_lessons() == record);
}

TEST_CASE("a damaged file reads as nothing, and stays beside the one that takes its place") {
  const ScratchFolder places;
  Store store(places / "config", places / "state");
  write(places / "state/lessons.json", "{\"last\": \"rows\", \"les");
  CHECK(store.load_lessons() == LessonRecord());
  store.save_lessons({.last = "rows"});
  CHECK(store.load_lessons().last == "rows");
  std::size_t damaged = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(places / "state"))
    if (entry.path().filename() == "damaged lessons.json") {
      std::string text;
      std::getline(std::ifstream(entry.path()), text);
      CHECK(text == "{\"last\": \"rows\", \"les");
      ++damaged;
    }
  CHECK(damaged == 1);
}
