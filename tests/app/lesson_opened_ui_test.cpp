// A lesson's file opens as other files do; work goes on from a lesson; a recorded one is not lost by closing.
#include <doctest/doctest.h>

#include "tests/app/recording_lab.h"
#include "tests/contains.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("closing keeps a recorded lesson until it is saved or thrown away") {
  RecordingLab lab;
  lab.run("recording.begin");
  lab.add();
  lab.app().request_quit();
  lab.frames(2);
  CHECK_FALSE(lab.app().quit_requested());
  CHECK(lab.recording().writing);
  lab.press_words("Throw away…");
  lab.frames(2);
  lab.press_words("Throw the lesson away");
  lab.frames(2);
  CHECK_FALSE(lab.recording().on);
  lab.app().request_quit();
  CHECK(lab.app().quit_requested());
}

TEST_CASE("a lesson’s file opens: it plays, and what is wrong with it is told with its line") {
  RecordingLab lab;
  lab.app().dropped({lab.folder / "rows.md"});
  lab.app().wait_for_reading(std::chrono::seconds{10});
  lab.frames(3);
  REQUIRE(lab.app().plays_lesson());
  lab.app().leave_lesson();
  CHECK(lab.document() == lab.own);
  std::ofstream(lab.folder / "bad.md") << "# Bad\ngoal: None.\n\n## One\nopen: three-tokens\nlok: x\n";
  lab.open(lab.folder / "bad.md");
  CHECK_FALSE(lab.app().plays_lesson());
  INFO(lab.view().message);
  CHECK(contains(lab.view().message, "bad.md: line 6: \"lok\" is no key here"));
  std::filesystem::copy_file(lab.folder / "rows.md", lab.folder / "rows.txt");
  CHECK(is_lesson_file(lab.folder / "rows.txt"));
  std::ofstream(lab.folder / "points.csv") << "# x, y\n1, 2\n3, 4\n";
  CHECK_FALSE(is_lesson_file(lab.folder / "points.csv"));
}

TEST_CASE("work goes on from a lesson’s step; what was open before is one step back") {
  RecordingLab lab;
  lab.play(2);
  Document document = lab.document();
  document.layer().temperature = 5;
  lab.app().change(document);
  lab.settle();
  const std::string looked = lab.app().look();
  const auto chip = lab.find_text("go on from here");
  REQUIRE(chip);
  lab.click(centre(*chip));
  lab.settle();
  lab.frames(2);
  CHECK_FALSE(lab.app().plays_lesson());
  CHECK(lab.document() == document);
  CHECK(lab.app().look() == looked);
  CHECK(lab.app().changed());
  CHECK(contains(lab.app().title(), "A lesson of rows"));
  lab.undo();
  CHECK(lab.document() == lab.own);
  lab.redo();
  CHECK(lab.document() == document);
}
