// lessons: lists them, plays one as text, checks them.
#include "app/cli/lessons.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/cli/lesson_check.h"
#include "app/cli/lesson_handout.h"
#include "app/cli/lesson_script.h"
#include "app/program/lesson_state.h"
#include "app/words/command_parser.h"
#include "app/words/table.h"
#include "app/workspaces/workspaces.h"
#include "core/system/error.h"

namespace attn {
namespace {

struct LessonWords {
  std::vector<std::string> names;
  std::string output = {};
  bool check = false, text = false, answers = false, handout = false;
};

void list_lessons(Console& console) {
  std::vector<std::vector<std::string>> rows{{"lesson", "afterwards", "steps"}};
  for (const std::string& name : lesson_names()) {
    const Lesson lesson = read_lesson(name);
    rows.push_back({name, lesson.goal, std::to_string(lesson.steps.size())});
  }
  print_table(console.out, rows, 2);
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

void print_lesson(const std::string& name, bool answers, Console& console) {
  const Lesson lesson = read_lesson(name);
  console.out << lesson.title << "\n" << lesson.goal << '\n';
  LessonReplay replay(lesson, workspaces());
  for (std::size_t i = 1; replay.next(); ++i) {
    console.out << '\n' << i << " of " << lesson.steps.size() << ". " << replay.step().title << '\n';
    for (const ScriptLine& line : script_of(replay, answers))
      console.out << (line.kind <= ScriptLine::question ? "\n" : "  ") << line.lead
                  << (line.lead.empty()                 ? ""
                      : line.kind == ScriptLine::choice ? "  "
                                                        : ": ")
                  << line.text << '\n';
  }
}

void write_handout(const LessonWords& words, Console& console) {
  if (words.names.size() != 1) throw Error("--handout takes one lesson", Fault::option);
  if (words.output.empty()) throw Error("--handout needs -o OUT.html, the page to write", Fault::option);
  const std::string html = handout_of(read_lesson(words.names.front()), words.answers);
  console.write_file(words.output, std::as_bytes(std::span(html)));
}

int run_lessons(const LessonWords& words, Console& console) {
  if (words.check) return check_lessons(words.names.empty() ? lesson_names() : words.names, console);
  if (words.handout) {
    write_handout(words, console);
  } else if (words.names.empty()) {
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
      .add("--handout", words->handout, "write it as a page to be printed, with pictures of its steps")
      .add("-o,--output", words->output, "OUT.html", "write the page here")
      .add("--check", words->check,
           "replay every step and hold every number, prediction and exercise against what is computed");
  options.end_with_statuses("Status 0: all hold; 1: something does not.\n");
}

}  // namespace attn
