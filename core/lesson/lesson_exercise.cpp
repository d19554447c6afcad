// Exercises out of lines of a lesson.
#include "core/lesson/lesson_exercise.h"

#include <array>

#include "core/text/bytes.h"
#include "core/text/text.h"

namespace attn {
namespace {

LessonFormula formula(std::string_view text, std::size_t line) {
  return {.text = std::string(text), .line = line};
}

PrintedRow read_printed(std::string_view text, std::size_t line) {
  const LessonSet set = read_set(text, line);
  return {.of = read_cells(set.name, line), .numbers = read_numbers(set.value, line)};
}

void read_range(LessonExercise& exercise, std::string_view text, std::size_t line) {
  const std::vector<double> numbers = read_numbers(text, line);
  if (numbers.size() != 2 || !(numbers[0] < numbers[1]))
    refuse_line(line, "takes the least and the most: 0 1");
  exercise.least = numbers[0], exercise.most = numbers[1];
}

void take_faults(LessonExercise& to, std::string_view value) {
  for (const std::string& word : split(value, ',')) to.faults.emplace_back(trimmed(word));
}

// A number, or a row of them, that is guessed.
void take_value(LessonExercise& to, LessonExercise::Kind kind, std::string_view value, std::size_t line) {
  to.kind = kind;
  to.value = formula(value, line);
}

}  // namespace

LessonExercise begun_exercise(std::string_view heading, std::size_t line) {
  constexpr std::array<std::pair<std::string_view, LessonExercise::Kind>, 5> kKinds{
      {{"predict", LessonExercise::choice},
       {"recall", LessonExercise::choice},
       {"do", LessonExercise::goal},
       {"break", LessonExercise::fault},
       {"book", LessonExercise::book}}};
  for (const auto& [word, what] : kKinds)
    if (heading == word) return {.kind = what, .recalled = word == "recall", .line = line};
  refuse_line(line, in_quotes(heading) + " is no exercise: predict, recall, do, break or book");
}

void add_choice(LessonExercise& to, std::string_view text, std::size_t line) {
  if (to.kind != LessonExercise::choice) refuse_line(line, "answers stand below “### predict”");
  to.choices.push_back({.text = read_text(text, line), .holds = {}, .says = {}});
}

void take_exercise_key(LessonExercise& to, const KeyLine& key, std::size_t number) {
  LessonChoice* choice = to.choices.empty() ? nullptr : &to.choices.back();
  const auto sets = [](std::vector<LessonSet>& list) {
    return [&list](std::string_view value, std::size_t line) { list.push_back(read_set(value, line)); };
  };
  const auto guessed = [&to](LessonExercise::Kind kind) {
    return [&to, kind](std::string_view value, std::size_t line) { take_value(to, kind, value, line); };
  };
  const std::array<KeyTaker, 14> takers{
      {{"then", sets(to.then)},
       {"accept", sets(to.accept)},
       {"refuse", sets(to.refuse)},
       {"holds", [&](auto value, auto line) { (choice ? choice->holds : to.holds) = formula(value, line); }},
       {"says", [&](auto value, auto line) { (choice ? choice->says : to.says) = read_text(value, line); }},
       {"slider", guessed(LessonExercise::slider)},
       {"curve", guessed(LessonExercise::curve)},
       {"at", [&](auto value, auto line) { to.at = formula(value, line); }},
       {"range", [&](auto value, auto line) { read_range(to, value, line); }},
       {"near", [&](auto value, auto line) { to.near = read_numbers(value, line).front(); }},
       {"click",
        [&](auto value, auto line) { to.kind = LessonExercise::click, to.cells = read_cells(value, line); }},
       {"hint", [&](auto value, auto line) { to.hints.push_back(read_text(value, line)); }},
       {"faults", [&](auto value, auto) { take_faults(to, value); }},
       {"prints", [&](auto value, auto line) { to.printed.push_back(read_printed(value, line)); }}}};
  take_key(key, number, takers);
}

void check_exercise(const LessonExercise& one) {
  const auto need = [&](bool there, const char* what) {
    if (!there) refuse_line(one.line, std::string("the exercise lacks ") + what);
  };
  need(!one.question.empty(), "a question");
  switch (one.kind) {
    case LessonExercise::choice:
      need(one.choices.size() >= 2 && one.choices.size() <= 3, "two or three answers: “- ” and the answer");
      for (const LessonChoice& choice : one.choices) need(!choice.holds.empty(), "“holds: ” below an answer");
      break;
    case LessonExercise::slider:
    case LessonExercise::curve:
      need(!one.says.empty(), "“says: ”, what comes of it");
      break;
    case LessonExercise::click:
      need(!one.holds.empty(), "“holds: ”, which cell is right");
      break;
    case LessonExercise::goal:
      need(!one.holds.empty(), "“holds: ”, when the goal is reached");
      need(!one.accept.empty(), "“accept: ”, a state that reaches it");
      need(!one.refuse.empty(), "“refuse: ”, a state that does not");
      need(!one.hints.empty(), "“hint: ”");
      break;
    case LessonExercise::fault:
      need(one.faults.size() >= 2, "“faults: ”, two or more known mistakes");
      need(!one.hints.empty(), "“hint: ”");
      break;
    case LessonExercise::book:
      need(!one.printed.empty(), "“prints: ”, a row as it is printed");
      break;
  }
}

bool is_prediction(const LessonExercise& exercise) {
  return exercise.kind <= LessonExercise::click;
}

std::string title_of(const LessonExercise& exercise) {
  constexpr const char* kTitles[] = {"Predict", "Predict",  "Predict",       "Predict",
                                     "Do it",   "Break it", "Check the book"};
  return exercise.recalled ? "Recall" : kTitles[exercise.kind];
}

}  // namespace attn
