// The file of a lesson: headings, below each lines "key: value", and text.
#include "core/lesson/lesson.h"

#include <algorithm>
#include <array>
#include <functional>

#include "core/lesson/lesson_text.h"
#include "core/text/bytes.h"
#include "core/text/text.h"

namespace attn {
namespace {

// "key: value", the key one word of small letters; none: it is text.
struct KeyLine {
  std::string_view key, value;
};
std::optional<KeyLine> key_line(std::string_view text) {
  const std::size_t colon = text.find(": ");
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  const std::string_view key = text.substr(0, colon);
  if (!std::ranges::all_of(key, [](char c) { return c >= 'a' && c <= 'z'; })) return std::nullopt;
  return KeyLine{key, trimmed(text.substr(colon + 2))};
}

// What takes a key's value.
struct KeyTaker {
  std::string_view key;
  std::function<void(std::string_view value, std::size_t line)> take;
};

void take_key(const KeyLine& line, std::size_t number, std::span<const KeyTaker> takers) {
  std::vector<std::string> keys;
  for (const KeyTaker& taker : takers) {
    if (taker.key == line.key) return taker.take(line.value, number);
    keys.emplace_back(taker.key);
  }
  refuse_line(number, in_quotes(line.key) + " is no key here; there are " + listed(keys));
}

LessonFormula formula(std::string_view text, std::size_t line) {
  return {.text = std::string(text), .line = line};
}

LessonMark read_mark(std::string_view text, std::size_t line) {
  const std::size_t space = text.find(' ');
  const std::string_view number = text.substr(0, space);
  if (number.size() != 1 || number[0] < '1' || number[0] > '9' || space == std::string_view::npos)
    refuse_line(line, "takes a number from 1 to 9 and cells, as in 1 scaled[0,0]");
  return {.number = static_cast<std::size_t>(number[0] - '0'), .at = read_cells(text.substr(space), line)};
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

class LessonReader {
 public:
  LessonReader(std::string name, std::string_view text) : rest_(text) { lesson_.name = std::move(name); }

  Lesson read() {
    while (next()) {
      const std::string_view text = trimmed(line_.text);
      if (text.starts_with("### "))
        begin_exercise(trimmed(text.substr(4)));
      else if (text.starts_with("## "))
        begin_step(trimmed(text.substr(3)));
      else if (text.starts_with("# "))
        begin_lesson(trimmed(text.substr(2)));
      else if (text.empty())
        end_paragraph(), in_head_ = false;
      else
        take_line(text);
    }
    end_step();
    if (lesson_.title.empty()) refuse_line(1, "a lesson begins with “# ” and its title");
    if (lesson_.goal.empty())
      refuse_line(1, "“goal: ” is missing: what one can say or do afterwards, in a sentence");
    if (lesson_.steps.empty()) refuse_line(line_.number, "there is no step: “## ” and its title");
    return std::move(lesson_);
  }

 private:
  bool next() {
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = {rest_.substr(0, end), line_.number + 1};
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return true;
  }

  LessonStep& step() { return lesson_.steps.back(); }
  LessonExercise* exercise() { return in_exercise_ ? &step().exercises.back() : nullptr; }

  void begin_lesson(std::string_view title) {
    if (!lesson_.title.empty()) refuse_line(line_.number, "a lesson has one title");
    lesson_.title = title, in_head_ = true;
  }

  void begin_step(std::string_view title) {
    end_step();
    if (title.empty()) refuse_line(line_.number, "a step has a title");
    lesson_.steps.push_back({.title = std::string(title), .line = line_.number});
    in_head_ = true;
  }

  void begin_exercise(std::string_view kind) {
    end_exercise();
    if (lesson_.steps.empty()) refuse_line(line_.number, "an exercise stands in a step");
    constexpr std::array<std::pair<std::string_view, LessonExercise::Kind>, 5> kKinds{
        {{"predict", LessonExercise::choice},
         {"recall", LessonExercise::choice},
         {"do", LessonExercise::goal},
         {"break", LessonExercise::fault},
         {"book", LessonExercise::book}}};
    for (const auto& [word, what] : kKinds)
      if (kind == word) {
        step().exercises.push_back({.kind = what, .recalled = word == "recall", .line = line_.number});
        in_exercise_ = true, in_head_ = false;
        return;
      }
    refuse_line(line_.number, in_quotes(kind) + " is no exercise: predict, recall, do, break or book");
  }

  void take_line(std::string_view text) {
    const auto key = key_line(text);
    if (lesson_.steps.empty())
      return key && !lesson_.title.empty()
                 ? take_lesson_key(*key)
                 : refuse_line(line_.number, "a lesson begins with “# ”, its title, and “goal: ”");
    if (LessonExercise* one = exercise()) {
      if (text.starts_with("- ")) return begin_choice(*one, trimmed(text.substr(2)));
      if (key) return take_exercise_key(*one, *key);
      return go_on(text);
    }
    if (in_head_)
      return key ? take_step_key(*key)
                 : refuse_line(line_.number,
                               "below a step’s title stand its keys, then an empty line, then text");
    go_on(text);
  }

  void take_lesson_key(const KeyLine& key) {
    const std::array<KeyTaker, 2> takers{{{"goal", [&](auto value, auto) { lesson_.goal = value; }},
                                          {"chapter", [&](auto value, auto) { lesson_.chapter = value; }}}};
    take_key(key, line_.number, takers);
  }

  void take_step_key(const KeyLine& key) {
    LessonStep& to = step();
    const std::array<KeyTaker, 5> takers{
        {{"open", [&](auto value, auto) { to.open = value; }},
         {"set", [&](auto value, auto line) { to.sets.push_back(read_set(value, line)); }},
         {"look", [&](auto value, auto) { to.look = value; }},
         {"lit", [&](auto value, auto line) { to.lit = read_cell_list(value, line); }},
         {"mark", [&](auto value, auto line) { to.marks.push_back(read_mark(value, line)); }}}};
    take_key(key, line_.number, takers);
  }

  void begin_choice(LessonExercise& to, std::string_view text) {
    end_paragraph();
    if (to.kind != LessonExercise::choice) refuse_line(line_.number, "answers stand below “### predict”");
    to.choices.push_back({.text = read_text(text, line_.number), .holds = {}, .says = {}});
  }

  void take_exercise_key(LessonExercise& to, const KeyLine& key) {
    end_paragraph();
    LessonChoice* choice = to.choices.empty() ? nullptr : &to.choices.back();
    const auto sets = [](std::vector<LessonSet>& list) {
      return [&list](std::string_view value, std::size_t line) { list.push_back(read_set(value, line)); };
    };
    const std::array<KeyTaker, 12> takers{
        {{"then", sets(to.then)},
         {"accept", sets(to.accept)},
         {"refuse", sets(to.refuse)},
         {"holds",
          [&](auto value, auto line) { (choice ? choice->holds : to.holds) = formula(value, line); }},
         {"says", [&](auto value, auto line) { (choice ? choice->says : to.says) = read_text(value, line); }},
         {"slider",
          [&](auto value, auto line) { to.kind = LessonExercise::slider, to.value = formula(value, line); }},
         {"range", [&](auto value, auto line) { read_range(to, value, line); }},
         {"near", [&](auto value, auto line) { to.near = read_numbers(value, line).front(); }},
         {"click", [&](auto value,
                       auto line) { to.kind = LessonExercise::click, to.cells = read_cells(value, line); }},
         {"hint", [&](auto value, auto line) { to.hints.push_back(read_text(value, line)); }},
         {"faults", [&](auto value, auto) { take_faults(to, value); }},
         {"prints", [&](auto value, auto line) { to.printed.push_back(read_printed(value, line)); }}}};
    take_key(key, line_.number, takers);
  }

  static void take_faults(LessonExercise& to, std::string_view value) {
    for (const std::string& word : split(value, ',')) to.faults.emplace_back(trimmed(word));
  }

  // A line of text: of the paragraph that is open, or a new one.
  void go_on(std::string_view text) {
    if (paragraph_.empty()) paragraph_line_ = line_.number;
    paragraph_ += (paragraph_.empty() ? "" : " ") + std::string(text);
  }

  void end_paragraph() {
    if (paragraph_.empty()) return;
    const std::string_view text = paragraph_;
    const std::size_t line = paragraph_line_;
    if (LessonExercise* one = exercise()) {
      if (!one->question.empty()) one->question.push_back({.words = "\n"});
      for (LessonWord& word : read_text(text, line)) one->question.push_back(std::move(word));
    } else {
      step().text.push_back(read_paragraph(text, line));
    }
    paragraph_.clear();
  }

  void end_exercise() {
    if (lesson_.steps.empty()) return;
    end_paragraph();
    if (const LessonExercise* one = exercise()) check(*one);
    in_exercise_ = false;
  }

  void end_step() {
    end_exercise();
    if (lesson_.steps.empty()) return;
    if (step().text.empty() && step().exercises.empty()) refuse_line(step().line, "the step says nothing");
    if (lesson_.steps.size() == 1 && step().open.empty())
      refuse_line(step().line, "the first step says which document it opens: “open: three-tokens”");
  }

  static void check(const LessonExercise& one) {
    const auto need = [&](bool there, const char* what) {
      if (!there) refuse_line(one.line, std::string("the exercise lacks ") + what);
    };
    need(!one.question.empty(), "a question");
    switch (one.kind) {
      case LessonExercise::choice:
        need(one.choices.size() >= 2 && one.choices.size() <= 3, "two or three answers: “- ” and the answer");
        for (const LessonChoice& choice : one.choices)
          need(!choice.holds.empty(), "“holds: ” below an answer");
        break;
      case LessonExercise::slider:
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

  std::string_view rest_;
  LessonLine line_;
  Lesson lesson_;
  std::string paragraph_;
  std::size_t paragraph_line_ = 0;
  bool in_head_ = false, in_exercise_ = false;
};

}  // namespace

bool is_prediction(const LessonExercise& exercise) {
  return exercise.kind <= LessonExercise::click;
}

std::string title_of(const LessonExercise& exercise) {
  constexpr const char* kTitles[] = {"Predict", "Predict", "Predict", "Do it", "Break it", "Check the book"};
  return exercise.recalled ? "Recall" : kTitles[exercise.kind];
}

Lesson parse_lesson(std::string name, std::string_view text) {
  if (text.size() > kLongestLesson) refuse_line(1, "a lesson has at most 1 MiB");
  return LessonReader(std::move(name), text).read();
}

}  // namespace attn
