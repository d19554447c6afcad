// lessons: lists them, plays one as text, checks them.
#include "app/cli/lessons.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>

#include "app/cli/lesson_check.h"
#include "app/cli/lesson_handout.h"
#include "app/cli/lesson_script.h"
#include "app/cli/translation_check.h"
#include "app/program/lesson_state.h"
#include "app/words/command_parser.h"
#include "app/words/table.h"
#include "app/workspaces/workspaces.h"
#include "core/system/error.h"

namespace attn {
namespace {

struct LessonWords {
  std::vector<std::string> names;
  std::string output = {}, language = kEnglish;
  bool check = false, text = false, answers = false, handout = false;
};

void list_lessons(const Language* language, Console& console) {
  std::vector<std::vector<std::string>> rows{{"lesson", "afterwards", "steps"}};
  for (const std::string& name : lesson_names()) {
    const Lesson lesson = read_lesson(name, language);
    rows.push_back({name, lesson.goal, std::to_string(lesson.steps.size())});
  }
  print_table(console.out, rows, 2);
}

struct LessonCount {
  std::size_t steps = 0, exercises = 0;
};

// In one language; every fault is reported.
LessonCount check_lesson_in(const LanguageName& spoken, const std::string& name,
                            const std::function<void(const std::string&)>& report) {
  const auto language = read_language(spoken.code);
  const std::string of = name + (language ? " in " + spoken.name : "") + ": ";
  try {
    const Lesson lesson = read_lesson(name, language.get());
    const LessonVerdict verdict = check_lesson(lesson, workspaces());
    for (const std::string& fault : verdict.faults) report(of + fault);
    if (language)
      for (const std::string& fault : check_translation(read_lesson(name), lesson)) report(of + fault);
    return {lesson.steps.size(), verdict.exercises};
  } catch (const Error& error) {
    report(language ? of + error.what() : error.what());
    return {};
  }
}

// Those of the course in every language: a file has no other than its own.
int check_lessons(const std::vector<std::string>& names, Console& console) {
  LessonCount all;
  std::size_t faults = 0;
  const auto report = [&](const std::string& fault) { ++faults, console.out << fault << '\n'; };
  const std::vector<std::string> course = lesson_names();
  for (const std::string& name : names) {
    const LessonCount count = check_lesson_in({kEnglish, "English"}, name, report);
    all.steps += count.steps, all.exercises += count.exercises;
    if (std::ranges::count(course, name) > 0)
      for (const LanguageName& spoken : languages())
        if (spoken.code != kEnglish) check_lesson_in(spoken, name, report);
  }
  console.out << names.size() << (names.size() == 1 ? " lesson, " : " lessons, ") << all.steps << " steps, "
              << all.exercises << " exercises: "
              << (faults == 0 ? std::string("all hold")
                              : std::to_string(faults) + (faults == 1 ? " does not hold" : " do not hold"))
              << '\n';
  return faults == 0 ? kDone : kDifferent;
}

void print_lesson(const std::string& name, const Language* language, bool answers, Console& console) {
  const Lesson lesson = read_lesson(name, language);
  console.out << lesson.title << "\n" << lesson.goal << '\n';
  LessonReplay replay(lesson, workspaces());
  const std::string all = std::to_string(lesson.steps.size());
  for (std::size_t i = 1; replay.next(); ++i) {
    console.out << '\n'
                << in_language(language, std::to_string(i) + " of " + all) << ". " << replay.step().title
                << '\n';
    for (const ScriptLine& line : script_of(replay, answers, language))
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
  const std::string html = handout_of(words.names.front(), words.answers, words.language);
  console.write_file(words.output, std::as_bytes(std::span(html)));
}

int run_lessons(const LessonWords& words, Console& console) {
  const auto language = read_language(words.language);
  if (words.check) return check_lessons(words.names.empty() ? lesson_names() : words.names, console);
  if (words.handout) {
    write_handout(words, console);
  } else if (words.names.empty()) {
    list_lessons(language.get(), console);
  } else {
    for (const std::string& name : words.names) print_lesson(name, language.get(), words.answers, console);
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
      .add("--language", words->language, "CODE", "in this language: en, de, or what a PO file says")
      .add("--check", words->check,
           "replay every step and hold every number, prediction and exercise against what is computed");
  options.end_with_statuses("Status 0: all hold; 1: something does not.\n");
}

}  // namespace attn
