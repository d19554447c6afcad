// The file of a lesson: headings, below each lines "key: value", and text.
#include "core/lesson/lesson.h"

#include <algorithm>
#include <array>

#include "core/lesson/lesson_exercise.h"

namespace attn {
namespace {

LessonMark read_mark(std::string_view text, std::size_t line) {
  const std::size_t space = text.find(' ');
  const std::string_view number = text.substr(0, space);
  if (number.size() != 1 || number[0] < '1' || number[0] > '9' || space == std::string_view::npos)
    refuse_line(line, "takes a number from 1 to 9 and cells, as in 1 scaled[0,0]");
  return {.number = static_cast<std::size_t>(number[0] - '0'), .at = read_cells(text.substr(space), line)};
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
    step().exercises.push_back(begun_exercise(kind, line_.number));
    in_exercise_ = true, in_head_ = false;
  }

  void take_line(std::string_view text) {
    const auto key = key_line(text);
    if (lesson_.steps.empty())
      return key && !lesson_.title.empty()
                 ? take_lesson_key(*key)
                 : refuse_line(line_.number, "a lesson begins with “# ”, its title, and “goal: ”");
    if (LessonExercise* one = exercise()) {
      const bool choice = text.starts_with("- ");
      if (!choice && !key) return go_on(text);
      end_paragraph();
      return choice ? add_choice(*one, trimmed(text.substr(2)), line_.number)
                    : take_exercise_key(*one, *key, line_.number);
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
    if (const LessonExercise* one = exercise()) check_exercise(*one);
    in_exercise_ = false;
  }

  void end_step() {
    end_exercise();
    if (lesson_.steps.empty()) return;
    if (step().text.empty() && step().exercises.empty()) refuse_line(step().line, "the step says nothing");
    if (lesson_.steps.size() == 1 && step().open.empty())
      refuse_line(step().line, "the first step says which document it opens: “open: three-tokens”");
  }

  std::string_view rest_;
  LessonLine line_;
  Lesson lesson_;
  std::string paragraph_;
  std::size_t paragraph_line_ = 0;
  bool in_head_ = false, in_exercise_ = false;
};

}  // namespace

Lesson parse_lesson(std::string name, std::string_view text) {
  if (text.size() > kLongestLesson) refuse_line(1, "a lesson has at most 1 MiB");
  return LessonReader(std::move(name), text).read();
}

}  // namespace attn
