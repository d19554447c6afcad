// Lessons: their format with every refusal, and the expressions of their text by hand.
#include "core/lesson/lesson.h"

#include <doctest/doctest.h>

#include "core/document/layer_plan.h"
#include "core/io/session.h"
#include "core/lesson/curve_points.h"
#include "core/lesson/live_numbers.h"
#include "core/system/error.h"
#include "core/system/file.h"
#include "tests/contains.h"
#include "tests/layers.h"
#include "tests/places.h"

using namespace attn;
using namespace attn::tests;

namespace {

const std::string kLesson = R"(# Softmax
goal: You can say what softmax does.
chapter: Weights

## One
open: three-tokens
set: layer.scale = "none"
set: q[0,0,2] = 1 + 1
look: pipeline: step weights
lit: scaled[0,0], weights[0,:,2]
mark: 1 scaled[0,0]

The scores are {scaled[0,0]:2} ①, which is
{sum(weights[0,0])} in all.

> Why exp: for {exp(0.5):4}.

[when weights[0,0,0] > 0.5] Try: drag.

### predict
They rise. The weights …
then: scaled[0,0] = scaled[0,0] + 1
- stay
  holds: 1
  says: Moved by {0:1}.
- go
  holds: 0

### do
Make one large.
holds: weights[0,0,2] > 0.9
hint: Look.
accept: scaled[0,0,2] = 9
refuse: scaled[0,0,2] = 1
)";

std::string fault_of(const std::string& text) {
  try {
    parse_lesson("x", text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// kLesson with one piece another.
std::string with(const std::string& piece, const std::string& other) {
  const std::size_t at = kLesson.find(piece);
  REQUIRE(at != std::string::npos);
  std::string text = kLesson;
  return text.replace(at, piece.size(), other);
}

// Worked example: scores [1 1 2], [1 1 0], [2 0 1], divided by 2.
Document worked() {
  return parse_session(R"({"format": "attention-lab session", "version": 2, "layer": {"direct": true,
    "q": [[1,0,1,0],[0,1,0,1],[1,1,0,0]], "k": [[1,1,0,0],[0,0,1,1],[1,0,1,0]],
    "v": [[1,2,3,4],[5,6,7,8],[9,10,11,12]]}})");
}

struct Live {
  Results now = evaluated(worked());
  std::string operator()(const std::string& text) const {
    try {
      return plain(say({{.number = {.text = text, .line = 7}, .digits = 4}}, {.now = &now}));
    } catch (const Error& error) {
      return error.what();
    }
  }
};

}  // namespace

TEST_CASE("a lesson has what its file says") {
  const Lesson lesson = parse_lesson("softmax", kLesson);
  CHECK(lesson.name == "softmax");
  CHECK(lesson.title == "Softmax");
  CHECK(lesson.goal == "You can say what softmax does.");
  CHECK(lesson.chapter == "Weights");
  REQUIRE(lesson.steps.size() == 1);
  const LessonStep& step = lesson.steps[0];
  CHECK(step.open == "three-tokens");
  REQUIRE(step.sets.size() == 2);
  CHECK(step.sets[0].name == "layer.scale");
  CHECK_FALSE(step.sets[0].cells);
  CHECK(step.sets[1].cells);
  CHECK(step.sets[1].value == "1 + 1");
  REQUIRE(step.lit.size() == 2);
  CHECK(contains(step.lit[1], "weights", {0, 1, 2}));
  CHECK_FALSE(contains(step.lit[1], "weights", {0, 1, 1}));
  CHECK(step.marks[0].number == 1);
  REQUIRE(step.text.size() == 3);
  CHECK(step.text[0].text[1].number.text == "scaled[0,0]");
  CHECK(step.text[0].text[1].digits == 2);
  CHECK_FALSE(step.text[0].text[3].digits);
  CHECK(step.text[1].kind == LessonParagraph::why);
  CHECK(step.text[2].kind == LessonParagraph::attempt);
  CHECK(step.text[2].when.text == "weights[0,0,0] > 0.5");
  REQUIRE(step.exercises.size() == 2);
  CHECK(step.exercises[0].choices.size() == 2);
  CHECK(step.exercises[0].then[0].name == "scaled[0,0]");
  CHECK(step.exercises[1].kind == LessonExercise::goal);
  CHECK(step.exercises[1].line == 29);
}

TEST_CASE("what is no lesson is refused with its line and the reason") {
  const std::vector<std::pair<std::string, std::string>> refused{
      {"", "line 1: a lesson begins with “# ” and its title"},
      {"text\n", "line 1: a lesson begins with “# ”, its title, and “goal: ”"},
      {"# T\n", "line 1: “goal: ” is missing: what one can say or do afterwards, in a sentence"},
      {"# T\ngoal: g\n", "line 2: there is no step: “## ” and its title"},
      {"# T\ngoals: g\n", "line 2: \"goals\" is no key here; there are goal or chapter"},
      {with("open: three-tokens\n", ""),
       "line 5: the first step says which document it opens: “open: three-tokens”"},
      {with("lit: ", "lits: "), "line 10: \"lits\" is no key here; there are open, set, look, lit or mark"},
      {with("mark: 1 ", "mark: x "), "line 11: takes a number from 1 to 9 and cells, as in 1 scaled[0,0]"},
      {with("scaled[0,0], w", "scaled[0,0,0,0], w"),
       "line 10: \"scaled[0,0,0,0]\" takes a head, a row and a column"},
      {with("scaled[0,0], w", "scaled[0,x], w"),
       "line 10: \"scaled[0,x]\": heads, rows and columns are whole numbers from 0, or :"},
      {with("layer.scale = ", "layer.scale "), "line 7: takes NAME = VALUE, as in layer.scale = \"none\""},
      {with("{sum(weights[0,0])}", "{sum(weights[0,0])"), "line 13: a closing } is missing"},
      {with("{sum(weights[0,0])}", "{}"), "line 13: {} has no expression in it"},
      {with("[when weights[0,0,0] > 0.5] ", "[when x "),
       "line 18: takes [when EXPRESSION] and text behind it"},
      {with("### predict", "### guess"),
       "line 20: \"guess\" is no exercise: predict, recall, do, break or book"},
      {with("- go\n  holds: 0\n", ""),
       "line 20: the exercise lacks two or three answers: “- ” and the answer"},
      {with("  holds: 0\n", ""), "line 20: the exercise lacks “holds: ” below an answer"},
      {with("accept: scaled[0,0,2] = 9\n", ""),
       "line 29: the exercise lacks “accept: ”, a state that reaches it"},
      {with("refuse: scaled[0,0,2] = 1\n", ""),
       "line 29: the exercise lacks “refuse: ”, a state that does not"},
      {with("hint: Look.\n", ""), "line 29: the exercise lacks “hint: ”"},
      {with("Make one large.\n", ""), "line 29: the exercise lacks a question"},
      {with("hint: Look.", "hints: Look."),
       "line 32: \"hints\" is no key here; there are then, accept, refuse, holds, says, slider, curve, at, "
       "range, "
       "near, click, hint, faults or prints"},
      {with("Make one large.", "- one"), "line 30: answers stand below “### predict”"},
      {kLesson + "\n## Two\nopen: x\n", "line 36: the step says nothing"},
      {std::string(kLongestLesson + 1, 'x'), "line 1: a lesson has at most 1 MiB"}};
  for (const auto& [text, why] : refused) CHECK(fault_of(text) == why);
}

TEST_CASE("a curve has two to nine numbers, named by what they are read along") {
  const Live live;
  const auto points = [&](const std::string& text) {
    return curve_points({.value = {.text = text, .line = 7}}, {.now = &live.now});
  };
  Document named = worked();
  named.layer().tokens = {"the", "cat", "sat"};
  const Results results = evaluated(named);
  const CurvePoints row = curve_points({.value = {.text = "weights[0,0]", .line = 7}}, {.now = &results});
  CHECK(row.names == std::vector<std::string>{"the", "cat", "sat"});
  CHECK(row.values[2] == doctest::Approx(0.4519).epsilon(0.001));
  CHECK(points("v[0,:,0]").names == std::vector<std::string>{"0", "1", "2"});
  CHECK(points("v[0,0]").names.size() == 4);
  const LessonExercise named_at{.value = {.text = "weights[0,0]", .line = 7},
                                .at = {.text = "scaled[0,0]", .line = 8}};
  CHECK(curve_points(named_at, {.now = &results}).names == std::vector<std::string>{"0.5", "0.5", "1"});
  CHECK(points("weights[0,0,1:3] * 2").names == std::vector<std::string>{"1", "2"});
  CHECK_THROWS_WITH_AS(points("weights[0,0,1]"), "line 7: “weights[0,0,1]” is 1 number: a curve has two to 9",
                       Error);
  CHECK_THROWS_WITH_AS(points("v[0]"), "line 7: “v[0]” is 12 numbers: a curve has two to 9", Error);
  const LessonExercise too_many{.value = {.text = "weights[0,0]", .line = 7},
                                .at = {.text = "v[0,0]", .line = 8}};
  CHECK_THROWS_WITH_AS(curve_points(too_many, {.now = &results}),
                       "line 8: “v[0,0]” names 4 points, and the curve has 3", Error);
  CHECK(mean_difference({0, 1, 2}, {0, 2, 0}) == 1);
}

TEST_CASE("expressions read what is computed") {
  const Live live;
  CHECK(live("scaled[0,0]") == "0.5000, 0.5000, 1.0000");
  CHECK(live("scaled[0,:,2]") == "1.0000, 0.0000, 0.5000");
  CHECK(live("scaled[0,0:2,0]") == "0.5000, 0.5000");
  CHECK(live("weights[0,0,2]") == "0.4519");  // 1 ÷ (1 + 2·exp(−0.5)), by hand
  CHECK(live("1 / (1 + 2 * exp(-0.5))") == "0.4519");
  CHECK(live("sum(weights[0])") == "3.0000");
  CHECK(live("mean(v[0,:,0])") == "5.0000");
  CHECK(live("max(scores)") == "2.0000");
  CHECK(live("argmax(weights[0,2])") == "0.0000");
  CHECK(live("rows(q) * columns(q)") == "12.0000");
  CHECK(live("size(weights)") == "9.0000");
  CHECK(live("count(scores > 0)") == "7.0000");
  CHECK(live("scores[0,0] * 2 + q[0,0,0:3]") == "3.0000, 2.0000, 5.0000");
  CHECK(live("scores[0, argmax(v[0,:,0]), 0]") == "2.0000");
  CHECK(live("weights[0,0,2] > 0.4 and not (weights[0,0,2] > 0.5)") == "1.0000");
  CHECK(live("1 > 2 or 2 != 2") == "0.0000");
  CHECK(live("layer.temperature") == "1.0000");
  CHECK(live("−0.00001") == "0.0000");
  CHECK(live("1/0") == "∞");
  CHECK(live("-2 * 4 * 4096 * 64") == "−2\u202f097\u202f152.0000");
  CHECK(live("9999 / 1") == "9999.0000");
}

TEST_CASE("an expression that reads nothing that there is says so with its line") {
  const Live live;
  const auto refused = [&](const std::string& text, const std::string& why) {
    CHECK(live(text) == "line 7: “" + text + "”: " + why);
  };
  refused("weigths[0,0]", "no stage \"weigths\"; did you mean \"weights\"?");
  refused("weights[0,3]", "\"weights\" is 3×3: rows are 0 to 2");
  refused("weights[0,0.5]", "\"weights\" is 3×3: rows are 0 to 2");
  refused("weights[0,0,0,0]", "\"weights\" takes a head, a row and a column");
  refused("weights[0,0", "a closing bracket ] is missing");
  refused("scores[0,0] + q[0,0]", "3 numbers meet 4");
  refused("before.weights[0,0]", "\"before.weights\" is known while an answer is shown, and none is");
  refused("it > 1", "“it” is the cell that is clicked, and none is");
  refused("median(weights)", "no function \"median\" of 1 value");
  refused("sum(weights", "a closing bracket ) is missing");
  CHECK_THROWS_WITH_AS(number({.text = "q[0,0]", .line = 3}, {.now = &live.now}),
                       "line 3: “q[0,0]” is 4 numbers, not one", Error);
}

TEST_CASE("what an expression reads is known and bounded") {
  const Live live;
  const auto cells = cells_of({.text = "weights[0,1] * scores[0,0,2]", .line = 1}, {.now = &live.now});
  REQUIRE(cells.size() == 2);
  CHECK(contains(cells[0], "weights", {0, 1, 2}));
  CHECK_FALSE(contains(cells[0], "weights", {0, 0, 2}));
  CHECK(cells[1].column == 2);
  std::string many = "sum(q)";
  for (int i = 0; i < 6000; ++i) many += "+sum(q)";
  CHECK(live(many).ends_with("more than 65536 numbers are read"));
  CHECK(live(std::string(300, '(') + "1").ends_with("too many signs or brackets inside each other"));
}

TEST_CASE("a key that has points in it is found as it is") {
  const std::vector<std::byte> bytes =
      read_file(std::string(kSourceDir) + "/tests/fuzz/corpus/session/stack.json");
  Document document = parse_session({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  REQUIRE(contains(write_session(document), "stack.decoder.1.boxes"));
  apply({.name = "stack.decoder.1.boxes", .value = "null", .line = 1}, document, kLayerPlan);
  CHECK_FALSE(contains(write_session(document), "stack.decoder.1.boxes"));
  apply({.name = "stack.seed", .value = "7", .line = 1}, document, kLayerPlan);
  CHECK(document.transformer.seed == 7);
}

TEST_CASE("a set changes a key of the session or cells, and nothing where it cannot") {
  Document document = worked();
  apply({.name = "layer.scale", .value = "\"none\"", .line = 1}, document, kLayerPlan);
  CHECK(document.layer().scale.mode == ScaleMode::none);
  apply({.name = "q[0,0]", .value = "2", .line = 1, .cells = true}, document, kLayerPlan);
  CHECK(document.layer().q == Tensor({1, 3, 4}, {2, 2, 2, 2, 0, 1, 0, 1, 1, 1, 0, 0}));
  const Results now = evaluated(document);
  apply({.name = "scores[0,0]", .value = "scores[0,0] + 1", .line = 1, .cells = true}, document, kLayerPlan,
        {.now = &now});
  CHECK(evaluated(document).output("scores")[{0, 0, 0}] == 5);
  CHECK(document.overrides.size() == 3);
  apply({.name = "heads.map", .value = "\"mean\"", .line = 1}, document, kLayerPlan);
  CHECK(document.heads.map != HeadsSpec().map);
  apply({.name = "heads", .value = "null", .line = 1}, document, kLayerPlan);
  CHECK(document.heads.map == HeadsSpec().map);
  const Document before = document;
  const auto refused = [&](LessonSet set, const std::string& why) {
    set.line = 9;
    set.cells = set.name.ends_with(']');
    CHECK_THROWS_WITH_AS(apply(set, document, kLayerPlan, {.now = &now}), ("line 9: " + why).c_str(), Error);
    CHECK(document == before);
  };
  refused({"layer.scale", "none"}, "set: layer.scale: “none” is no JSON: words stand in \"quotes\"");
  refused({"q[0,0]", "k[0,0,0:2]"}, "set: q[0,0]: there are 4 cells, not 2");
  refused({"q[0,0,0:2]", "1"}, "set: q[0,0,0:2]: takes one number of a side, or all");
  refused({"q[0,9]", "1"}, "“q[0,9]”: \"q\" is 3×4: rows are 0 to 2");
  CHECK_THROWS_AS(apply({.name = "layer.scales", .value = "1", .line = 9}, document, kLayerPlan), Error);
  CHECK(document == before);
}
