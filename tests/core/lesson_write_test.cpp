// Lessons that are written are the same when they are read.
#include "core/lesson/write_lesson.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/system/assets.h"
#include "core/system/error.h"
#include "tests/contains.h"

using namespace attn;
using namespace attn::tests;

namespace {

// Whether both say the same; where it stands is no part of it.
template <class Each>
bool same(const std::vector<Each>& a, const std::vector<Each>& b);
bool same(const LessonFormula& a, const LessonFormula& b) {
  return a.text == b.text;
}
bool same(const LessonWord& a, const LessonWord& b) {
  return a.words == b.words && same(a.number, b.number) && a.digits == b.digits && a.percent == b.percent;
}
bool same(const LessonCells& a, const LessonCells& b) {
  return a.stage == b.stage && a.head == b.head && a.row == b.row && a.column == b.column;
}
bool same(const LessonMark& a, const LessonMark& b) {
  return a.number == b.number && same(a.at, b.at);
}
bool same(const LessonSet& a, const LessonSet& b) {
  return a.name == b.name && a.value == b.value && a.cells == b.cells;
}
bool same(const LessonParagraph& a, const LessonParagraph& b) {
  return a.kind == b.kind && same(a.when, b.when) && same(a.text, b.text);
}
bool same(const LessonChoice& a, const LessonChoice& b) {
  return same(a.text, b.text) && same(a.holds, b.holds) && same(a.says, b.says);
}
bool same(const PrintedRow& a, const PrintedRow& b) {
  return same(a.of, b.of) && a.numbers == b.numbers;
}
bool same(const LessonExercise& a, const LessonExercise& b) {
  return a.kind == b.kind && a.recalled == b.recalled && same(a.question, b.question) &&
         same(a.then, b.then) && same(a.choices, b.choices) && same(a.value, b.value) && a.least == b.least &&
         a.most == b.most && a.near == b.near && same(a.cells, b.cells) && same(a.holds, b.holds) &&
         same(a.hints, b.hints) && same(a.accept, b.accept) && same(a.refuse, b.refuse) &&
         a.faults == b.faults && same(a.printed, b.printed) && same(a.says, b.says);
}
bool same(const LessonStep& a, const LessonStep& b) {
  return a.title == b.title && a.open == b.open && same(a.sets, b.sets) && a.look == b.look &&
         same(a.lit, b.lit) && same(a.marks, b.marks) && same(a.text, b.text) &&
         same(a.exercises, b.exercises);
}
bool same(const Lesson& a, const Lesson& b) {
  return a.name == b.name && a.title == b.title && a.goal == b.goal && a.chapter == b.chapter &&
         same(a.steps, b.steps);
}
template <class Each>
bool same(const std::vector<Each>& a, const std::vector<Each>& b) {
  return std::ranges::equal(a, b, [](const Each& x, const Each& y) { return same(x, y); });
}

void check_written(const Lesson& lesson) {
  const std::string text = write_lesson(lesson);
  const Lesson again = parse_lesson(lesson.name, text);
  CHECK(same(again, lesson));
  CHECK(write_lesson(again) == text);
}

// All that there is.
const std::string kAll = R"(# All
goal: All is written.
chapter: Of what there is

## One
open: three-tokens
set: layer.scale = "none"
set: q[0,:,2] = 1 + 1
look: pipeline: step weights; heads
lit: scaled[0,0], weights[:,:,2], output
mark: 1 scaled[0,0]
mark: 9 v

The first {a[0,:]:2} ① and {b:%}, {c[0:2]}, {d:3%}.

[when w[0,0] > 0.5] > Why: it is.

Try: drag.

### recall
One.

Two.
then: q[0,0] = 1
- a {x:1}
  holds: 1
- b
  holds: 0
  says: {y}.

### predict
A number?
slider: x[0,0,1]
range: -1 2.5
near: 0.05
says: It is {x[0,0,1]:4}.

### predict
A cell?
click: w[0,1]
holds: it == max(w[0,1])

### do
Make it so.
holds: w[0,0,0] > 1
hint: One.
hint: {two:1}.
accept: q[0,0,0] = 9
refuse: layer.temperature = 2

### break
Which?
faults: no-scale, scale-twice
hint: Look.

### book
A book.
prints: w[0,0] = 0.1 -1e-7 3
prints: w[0,1] = 1
says: No.

## Two

Nothing is set.
)";

std::string fault_of(const std::string& title, const std::string& words) {
  try {
    read_step_words(title, words);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("every lesson of the course is the same when it is written and read") {
  std::size_t lessons = 0;
  for (const Asset& file : lesson_files()) {
    const std::string name(file.name);
    CAPTURE(name);
    check_written(parse_lesson(name, asset_text(lesson_files(), "assets/lessons", name)));
    ++lessons;
  }
  CHECK(lessons > 20);
}

TEST_CASE("all that a lesson can hold is written") {
  check_written(parse_lesson("all", kAll));
}

TEST_CASE("a step’s words are its text, its exercises, and marks before them") {
  const LessonStep step = read_step_words("Title", "mark: 2 weights[0,1]\n\nIt is {x:2} ②.\n\n> Why: so.\n");
  CHECK(step.title == "Title");
  CHECK(step.open.empty());
  REQUIRE(step.marks.size() == 1);
  CHECK(step.marks[0].number == 2);
  CHECK(step.text.size() == 2);
  CHECK(read_step_words("T", "Key: this is text.").text.size() == 1);
  CHECK(read_step_words("T", "look: this too.").look.empty());
}

TEST_CASE("what is wrong with a step’s words is told with its line there") {
  CHECK(fault_of("T", "One.\n\nTwo {x") == "line 3: a closing } is missing");
  CHECK(fault_of("T", "") == "the step says nothing");
  CHECK(contains(fault_of("", "One."), "title"));
  CHECK(contains(fault_of("T", "One.\n\n## Two\n\nThree."), "line 3: “## ” begins another step"));
  CHECK(contains(fault_of("T", "One.\n\n### predict\nWhat?"), "line 3: the exercise lacks"));
  CHECK(contains(fault_of("T", "mark: 0 x\n\nOne."), "line 1: "));
}
