// lessons: the course lists, plays and holds; each kind of fault that is planted is named.
#include <doctest/doctest.h>

#include <fstream>

#include "app/cli/translation_check.h"
#include "app/program/lesson_state.h"
#include "core/system/assets.h"
#include "tests/app/words.h"

using namespace attn;
using namespace attn::tests;

namespace {

std::string lesson_text(const std::string& name) {
  return asset_text(lesson_files(), "assets/lessons", name + ".md");
}

// What --check says of a lesson with one piece another.
Outcome checked_with(const std::string& piece, const std::string& other,
                     const std::string& lesson = "softmax") {
  std::string text = lesson_text(lesson);
  const std::size_t at = text.find(piece);
  REQUIRE(at != std::string::npos);
  text.replace(at, piece.size(), other);
  const TemporaryFolder folder;
  const std::string file = folder / "planted.md";
  std::ofstream(file) << text;
  return run_words({"lessons", "--check", file});
}

}  // namespace

TEST_CASE("every lesson of the course holds") {
  const Outcome outcome = run_words({"lessons", "--check"});
  CHECK(outcome.status == kDone);
  CHECK(outcome.out.ends_with(" exercises: all hold\n"));
  CHECK(outcome.out.starts_with(std::to_string(lesson_names().size()) + " lesson"));
}

TEST_CASE("lessons are listed with their goals and played as text") {
  const Outcome listed = run_words({"lessons"});
  for (const std::string& name : lesson_names()) {
    CAPTURE(name);
    CHECK(contains(listed.out, name));
    const Outcome played = run_words({"lessons", name, "--text"});
    CHECK(played.status == kDone);
    CHECK_FALSE(contains(played.out, "Answer: "));
    CHECK(contains(run_words({"lessons", name, "--answers"}).out, "Answer: "));
  }
  CHECK(contains(
      run_words({"lessons", "softmax"}).out,
      "Row “the” of scaled is 0.50, 0.50, 1.00 ①. Less its largest, exp makes it 0.6065, 0.6065, 1.0000 ②."));
  CHECK(run_words({"lessons", "sofmax"}).err ==
        "attention-lab: sofmax: there is no such lesson; did you mean softmax?\n");
}

TEST_CASE(
    "a handout has the lesson's words and a picture of each step, and answers when they are asked for") {
  const TemporaryFolder folder;
  const auto handout = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"lessons", "softmax", "--handout", "-o", folder / "softmax.html"});
    const Outcome outcome = run_words(words);
    CAPTURE(outcome.err);
    REQUIRE(outcome.status == kDone);
    std::ifstream file(folder / "softmax.html");
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string asked = handout({}), answered = handout({"--answers"});
  std::size_t pictures = 0;
  for (std::size_t at = 0; (at = asked.find("src=\"data:image/svg+xml;base64,", at)) != std::string::npos;
       ++at)
    ++pictures;
  CHECK(pictures == read_lesson("softmax").steps.size());
  CHECK(contains(asked, "They add up to 2.2131 ③."));
  CHECK(contains(asked, "<div class=\"room\">"));
  CHECK_FALSE(contains(asked, "class=\"answer\""));
  CHECK(contains(answered, "class=\"answer\"><b>Answer.</b> 0.6914</p>"));
  CHECK_FALSE(contains(answered, "<div class=\"room\">"));
  CHECK(contains(run_words({"lessons", "softmax", "--handout"}).err, "--handout needs -o OUT.html"));
  CHECK(contains(run_words({"lessons", "--handout", "-o", folder / "x.html"}).err,
                 "--handout takes one lesson"));
}

TEST_CASE("a lesson is listed, played and printed in another language") {
  const TemporaryFolder folder;
  const Lesson german = read_lesson("softmax", read_language("de").get());
  CHECK(contains(run_words({"lessons", "--language", "de"}).out, german.goal));
  const std::string text = run_words({"lessons", "softmax", "--text", "--answers", "--language", "de"}).out;
  CHECK(text.starts_with(german.title + "\n" + german.goal));
  CHECK(contains(text, "\n1 von " + std::to_string(german.steps.size()) + ". " + german.steps[0].title));
  CHECK_FALSE(contains(text, "Predict"));
  REQUIRE(
      run_words({"lessons", "softmax", "--handout", "--language", "de", "-o", folder / "s.html"}).status ==
      kDone);
  std::ifstream file(folder / "s.html");
  const std::string html(std::istreambuf_iterator<char>(file), {});
  CHECK(contains(html, "<html lang=\"de\">"));
  CHECK(contains(html, "<h1>" + german.title + "</h1>"));
  CHECK(contains(run_words({"lessons", "--language", "xx"}).err, "xx is no language of the program"));
}

TEST_CASE("a window and a picture in another language are asked for by its code") {
  const TemporaryFolder folder;
  const std::string picture = folder / "heads.svg";
  const auto rendered = [&](const std::string& language) {
    return run_words(
        {"render", "three-tokens", "--language", language, "--device", "reference", "-o", picture});
  };
  REQUIRE(rendered("de").status == kDone);
  std::ifstream file(picture);
  const std::string svg(std::istreambuf_iterator<char>(file), {});
  CHECK(contains(svg, "Köpfe"));
  CHECK_FALSE(contains(svg, ">Heads<"));
  CHECK(contains(rendered("xx").err, "xx is no language of the program"));
  CHECK(contains(run_words({"--language", "xx"}).err, "xx is no language of the program"));
}

TEST_CASE("what a translation of a lesson lacks or changes is named") {
  const Lesson english = read_lesson("softmax");
  Lesson other = read_lesson("softmax", read_language("de").get());
  CHECK(check_translation(english, other).empty());
  other.title = "‹" + english.title + "›";
  LessonText& said = other.steps[0].text[0].text;
  const auto number = std::ranges::find_if(said, [](const LessonWord& word) { return !word.number.empty(); });
  REQUIRE(number != said.end());
  number->digits = 7;
  const std::vector<std::string> faults = check_translation(english, other);
  REQUIRE(faults.size() == 2);
  CHECK(faults[0] == "not translated: " + english.title);
  CHECK(contains(faults[1], "other numbers or marks than in English: "));
}

TEST_CASE("what does not hold of a lesson is named with its file, line and reason") {
  const std::vector<std::array<std::string, 3>> planted{
      {"open: three-tokens", "open: four-tokens", "four-tokens: there is no such file"},
      {"look: pipeline: softmax on", "look: pipline: softmax on", "look: "},
      {"layer.tokens = ", "layer.token = ", "set: layer.token: "},
      {"lit: scaled[0,0]", "lit: scled[0,0]", "no stage “scled” in this workspace"},
      {"lit: scaled[0,0]", "lit: scaled[0,7]", "scaled is 3×3, and has no such cells"},
      {"{scaled[0,0]:2} ①. A", "{scaled[0,9]:2} ①. A", "“scaled[0,9]”: \"scaled\" is 3×3: rows are 0 to 2"},
      {"holds: min(scaled[0,0] / sum(scaled[0,0])) >= 0", "holds: 1", "2 answers hold, not one"},
      {"holds: min(scaled[0,0] / sum(scaled[0,0])) < 0", "holds: 0", "0 answers hold, not one"},
      {"range: 0 1", "range: 0 0.5", "the answer lies beyond the slider"},
      {"near: 0.1", "near: 0.6", "“near” takes half of the slider for right"},
      {"holds: weights[0,0,2] > 0.9 and", "holds: weights[0,0,2] > 0.1 and",
       "the goal is reached before anything is done"},
      {"accept: scaled[0,0,2] = 4", "accept: scaled[0,0,2] = 3", "what is accepted does not reach the goal"},
      {"refuse: scaled[0,0,2] = 2", "refuse: scaled[0,0,2] = 5", "what is refused reaches the goal"},
      {"softmax-over-queries, no-scale", "softmax-over-querys, no-scale",
       "softmax-over-querys is no known mistake; did you mean softmax-over-queries?"},
      {"softmax-over-queries, no-scale", "causal-hides-itself, no-scale",
       "causal-hides-itself: the layer has no causal mask"},
      {"no-scale, scale-twice", "no-scale, no-scale", "no-scale makes the numbers of another, or of none"},
      {"prints: weights[0,0] = 0.2312 0.2312 0.5376", "prints: weights[0,0] = 0.2312 0.2312",
       "2 numbers are printed, but there are 3 cells"}};
  for (const auto& [piece, other, why] : planted) {
    CAPTURE(other);
    const Outcome outcome = checked_with(piece, other);
    CHECK(outcome.status == kDifferent);
    CAPTURE(outcome.out);
    CHECK(contains(outcome.out, "planted.md: line "));
    CHECK(contains(outcome.out, why));
    CHECK(contains(outcome.out, "not hold"));
  }
}

TEST_CASE("a curve that leaves its range, has no points or is taken for right too soon does not hold") {
  const std::vector<std::array<std::string, 3>> planted{
      {"range: 0 1", "range: 0 0.3", "the curve leaves its range"},
      {"range: 0 1", "range: 0 0.6", "the curve as it is now leaves its range"},
      {"near: 0.05", "near: 0.3", "“near” takes half of the range for right"},
      {"near: 0.05", "near: 0.2", "the curve as it is now is near enough"},
      {"curve: row.weights[0,0]", "curve: row.weights[0,0,0]", "is 1 number: a curve has two to 9"},
      {"curve: row.weights[0,0]", "curve: row.weight[0,0]", "row.weight"}};
  for (const auto& [piece, other, why] : planted) {
    CAPTURE(other);
    const Outcome outcome = checked_with(piece, other, "temperature");
    CHECK(outcome.status == kDifferent);
    CAPTURE(outcome.out);
    CHECK(contains(outcome.out, "planted.md: line "));
    CHECK(contains(outcome.out, why));
  }
}

TEST_CASE("a curve is asked for and told in words and numbers") {
  const std::string asked = run_words({"lessons", "temperature", "--text"}).out,
                    told = run_words({"lessons", "temperature", "--answers"}).out;
  CHECK(contains(asked, "a number from 0 to 1 for each of the, cat, sat, on; now the 0.7175"));
  CHECK_FALSE(contains(asked, "Answer: the"));
  CHECK(contains(told, "Answer: the 0.4815, cat 0.2058, sat 0.1603, on 0.1525"));
}

TEST_CASE("a lesson opens sessions that lie beside it") {
  const TemporaryFolder folder;
  REQUIRE(run_words({"render", "three-tokens", "-o", folder / "own.png"}).status == kDone);
  std::ofstream(folder / "own.md") << "# T\ngoal: g\n\n## One\nopen: own.png\n\n{q[0,0]:0}\n";
  CHECK(contains(run_words({"lessons", folder / "own.md", "--text"}).out, "1, 0, 1, 0"));
  std::filesystem::remove(folder / "own.png");
  CHECK(contains(run_words({"lessons", folder / "own.md", "--text"}).err, "own.png: there is no such file"));
}

TEST_CASE("a lesson that asks nothing, lets nothing be done or says too much does not hold") {
  const TemporaryFolder folder;
  const auto check = [&](const std::string& text) {
    const std::string file = folder / "short.md";
    std::ofstream(file) << text;
    return run_words({"lessons", "--check", file}).out;
  };
  std::string text = "# T\ngoal: g\n\n## One\nopen: three-tokens\n\nWords.\n";
  CHECK(contains(check(text), "line 4: the lesson has no prediction"));
  CHECK(contains(check(text), "line 4: the lesson has nothing to do"));
  for (int i = 0; i < 61; ++i) text += "word ";
  CHECK(contains(check(text + "\n"), "line 4: half of the steps have more than 60 words: 62"));
  CHECK(contains(check("# T\n"), "short.md: line 1: “goal: ” is missing"));
}
