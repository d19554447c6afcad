// lessons: lists them, plays one as text, checks them.
#include "app/cli/lessons.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/program/lesson_check.h"
#include "app/program/lesson_state.h"
#include "app/words/command_parser.h"
#include "app/words/table.h"
#include "app/workspaces/workspaces.h"
#include "core/diagnosis/mistake.h"
#include "core/system/error.h"

namespace attn {
namespace {

struct LessonWords {
  std::vector<std::string> names;
  bool check = false, text = false, answers = false;
};

void list_lessons(Console& console) {
  std::vector<std::vector<std::string>> rows{{"lesson", "steps", "afterwards"}};
  for (const std::string& name : lesson_names()) {
    const Lesson lesson = read_lesson(name);
    rows.push_back({name, std::to_string(lesson.steps.size()), lesson.goal});
  }
  print_table(console.out, rows, 1);
}

int check_lessons(const std::vector<std::string>& names, Console& console) {
  std::size_t steps = 0, exercises = 0, faults = 0;
  for (const std::string& name : names) {
    try {
      const Lesson lesson = read_lesson(name);
      const LessonVerdict verdict = check_lesson(lesson, workspaces());
      steps += lesson.steps.size();
      exercises += verdict.exercises;
      faults += verdict.faults.size();
      for (const std::string& fault : verdict.faults) console.out << name << ": " << fault << '\n';
    } catch (const Error& error) {
      ++faults;
      console.out << error.what() << '\n';
    }
  }
  console.out << names.size() << (names.size() == 1 ? " lesson, " : " lessons, ") << steps << " steps, "
              << exercises << " exercises: "
              << (faults == 0 ? std::string("all hold")
                              : std::to_string(faults) + (faults == 1 ? " does not hold" : " do not hold"))
              << '\n';
  return faults == 0 ? kDone : kDifferent;
}

// One step in words.
class StepText {
 public:
  StepText(LessonReplay& replay, std::ostream& out, bool answers)
      : replay_(replay), out_(out), answers_(answers) {}

  void print(std::size_t number, std::size_t count) {
    const LessonStep& step = replay_.step();
    out_ << '\n' << number << " of " << count << ". " << step.title << "\n\n";
    for (const LessonParagraph& paragraph : step.text) {
      if (!paragraph.when.empty() && !holds(paragraph.when, replay_.live())) continue;
      out_ << (paragraph.kind == LessonParagraph::attempt ? "Try: " : "")
           << plain(say(paragraph.text, replay_.live())) << "\n\n";
    }
    for (const LessonExercise& exercise : step.exercises) print(exercise);
  }

 private:
  void print(const LessonExercise& one) {
    constexpr std::array kNames{"Predict", "Predict", "Predict", "Do it", "Break it", "Check the book"};
    out_ << (one.recalled ? "From an earlier lesson" : kNames[one.kind]) << ": "
         << plain(say(one.question, replay_.live())) << '\n';
    for (std::size_t i = 0; i < one.choices.size(); ++i)
      out_ << "  " << i + 1 << "  " << plain(say(one.choices[i].text, replay_.live())) << '\n';
    if (one.kind == LessonExercise::slider)
      out_ << "  from " << short_number(static_cast<float>(one.least)) << " to "
           << short_number(static_cast<float>(one.most)) << ", now "
           << short_number(static_cast<float>(number(one.value, replay_.live()))) << '\n';
    for (const PrintedRow& row : one.printed) print(row);
    if (one.kind == LessonExercise::fault)
      for (const std::string& word : one.faults)
        if (const Mistake* known = find_mistake(word)) out_ << "  " << known->title << '\n';
    if (answers_) answer(one);
    out_ << '\n';
  }

  void print(const PrintedRow& row) {
    const StageResult stage = replay_.live().now->result(row.of.stage);
    out_ << "  " << row.of.stage << " printed:";
    for (const double x : row.numbers) out_ << ' ' << short_number(static_cast<float>(x));
    out_ << "; computed:";
    for (std::size_t i = 0; i < stage.shape().size(); ++i)
      if (const Cell cell = cell_at(stage.shape(), i); contains(row.of, row.of.stage, cell))
        out_ << ' ' << short_number(stage[cell]);
    out_ << '\n';
  }

  void answer(const LessonExercise& one) {
    const bool goal = one.kind == LessonExercise::goal;
    const LiveNumbers live = replay_.after(goal ? one.accept : one.then);
    for (const LessonText& hint : one.hints) out_ << "  Hint: " << plain(say(hint, replay_.live())) << '\n';
    if (goal) {
      out_ << "  One solution:";
      for (const LessonSet& set : one.accept) out_ << ' ' << set.name << " = " << set.value << ';';
      out_ << '\n';
    }
    for (std::size_t i = 0; i < one.choices.size(); ++i)
      if (holds(one.choices[i].holds, live))
        out_ << "  Answer: " << i + 1 << ". " << plain(say(one.choices[i].says, live)) << '\n';
    if (one.kind == LessonExercise::slider)
      out_ << "  Answer: " << short_number(static_cast<float>(number(one.value, live))) << '\n';
    if (!one.says.empty()) out_ << "  " << plain(say(one.says, live)) << '\n';
  }

  LessonReplay& replay_;
  std::ostream& out_;
  bool answers_;
};

void print_lesson(const std::string& name, bool answers, Console& console) {
  const Lesson lesson = read_lesson(name);
  console.out << lesson.title << "\n" << lesson.goal << '\n';
  LessonReplay replay(lesson, workspaces());
  StepText text(replay, console.out, answers);
  for (std::size_t i = 1; replay.next(); ++i) text.print(i, lesson.steps.size());
}

int run_lessons(const LessonWords& words, Console& console) {
  if (words.check) return check_lessons(words.names.empty() ? lesson_names() : words.names, console);
  if (words.names.empty()) {
    list_lessons(console);
  } else {
    for (const std::string& name : words.names) print_lesson(name, words.answers, console);
  }
  return kDone;
}

}  // namespace

void add_lessons(CommandParser& parser) {
  const auto words = std::make_shared<LessonWords>();
  Options options =
      parser.add("lessons", "List the lessons of the course, play one as text, or check that they hold",
                 [words](Console& console) { return run_lessons(*words, console); });
  options.command().add_option("NAME", words->names, "a lesson of the course, or the file of one");
  options.add("--text", words->text, "play it here, with its numbers as they are computed")
      .add("--answers", words->answers, "with hints and answers")
      .add("--check", words->check,
           "replay every step and hold every number, prediction and exercise against what is computed");
  options.end_with_statuses("Status 0: all hold; 1: something does not.\n");
}

}  // namespace attn
