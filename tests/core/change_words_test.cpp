// The texts of a lesson in the order of its file, and others in their place.
#include "core/lesson/change_words.h"

#include <doctest/doctest.h>

#include "core/lesson/write_lesson.h"
#include "core/system/error.h"

using namespace attn;

namespace {

constexpr const char* kLesson = R"(# Title
goal: A goal.
chapter: A chapter

## A step
open: three-tokens
lit: weights[0,0]

Two {weights[0,0]:2} ①.

[when weights[0,0,0] > 0.5] Try: drag.

> Why: so.

### predict
What now?
then: scaled[0,0] = 1
- this
  holds: 1
  says: It is {sum(weights[0,0])}.
- that
  holds: 0

### do
Make it large.
holds: weights[0,0,2] > 0.9
hint: Look.
accept: scaled[0,0,2] = 9
refuse: scaled[0,0,2] = 1
says: Done.
)";

}  // namespace

TEST_CASE("every text of a lesson that a person reads comes once, as it stands in the file") {
  Lesson lesson = parse_lesson("x", kLesson);
  std::vector<std::string> texts;
  change_words(lesson, [&](const std::string& text) { return texts.emplace_back(text); });
  CHECK(texts == std::vector<std::string>{"Title", "A goal.", "A chapter", "A step",
                                          "Two {weights[0,0]:2} ①.", "drag.", "Why: so.", "What now?", "this",
                                          "It is {sum(weights[0,0])}.", "that", "Make it large.", "Look.",
                                          "Done."});
  CHECK(write_lesson(lesson) == write_lesson(parse_lesson("x", kLesson)));
}

TEST_CASE("another text is read as the file's would be, numbers among it; all else of the lesson stays") {
  Lesson lesson = parse_lesson("x", kLesson);
  change_words(lesson, [](const std::string& text) {
    return text.starts_with("Two") ? std::string("{weights[0,0]:2} sind ① zwei.") : "Ein Text";
  });
  CHECK(lesson.title == "Ein Text");
  const LessonText& said = lesson.steps[0].text[0].text;
  REQUIRE(said.size() == 2);
  CHECK(said[0].number.text == "weights[0,0]");
  CHECK(said[1].words == " sind ① zwei.");
  CHECK(lesson.steps[0].text[1].kind == LessonParagraph::attempt);
  CHECK(lesson.steps[0].exercises[0].choices[1].text[0].words == "Ein Text");
  CHECK(lesson.steps[0].exercises[1].holds.text == "weights[0,0,2] > 0.9");
  CHECK_THROWS_WITH_AS(change_words(lesson, [](const std::string&) { return std::string("{open"); }),
                       doctest::Contains("closing } is missing"), Error);
}
