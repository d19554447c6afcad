// A lesson: what is shown and said step by step over any workspace, and what a person is asked on the way. It
// is a file, assets/lessons/NAME.md, whose format assets/manual/lessons.md describes; no lesson has code of
// its own.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// An expression of live numbers (core/lesson/live_numbers.h) as it is written; empty: there is none.
struct LessonFormula {
  std::string text = {};
  std::size_t line = 0;  // of the file, from 1
  bool empty() const { return text.empty(); }
};

// Words, or a number among them.
struct LessonWord {
  std::string words = {};  // where `number` is empty
  LessonFormula number = {};
  std::optional<int> digits = {};  // behind the point; none: as few as say the number
  bool percent = false;
};
using LessonText = std::vector<LessonWord>;

// Cells of a stage: of one head, row or column where that is said, else of all.
struct LessonCells {
  std::string stage;
  std::optional<std::size_t> head = {}, row = {}, column = {};
  std::size_t line = 0;
};

// A number in a circle, at its place on the canvas and in the text: ① is 1.
struct LessonMark {
  std::size_t number = 1;
  LessonCells at;
};

// "layer.scale = "none"": a key of the session and its value as JSON; or, with brackets, cells of a stage and
// an expression: one number for all of them, or one for each.
struct LessonSet {
  std::string name;
  std::string value;
  std::size_t line = 0;
  bool cells = false;
};

struct LessonParagraph {
  enum Kind { plain, why, attempt } kind = plain;  // what is said, "Why …:", what to try
  LessonFormula when = {};                         // said only where this holds; empty: always
  LessonText text = {};
};

// One of several answers. Exactly one of an exercise holds.
struct LessonChoice {
  LessonText text;
  LessonFormula holds;
  LessonText says;  // what comes of it, computed
};

// A row that a text prints, beside the cells that it is said to be.
struct PrintedRow {
  LessonCells of;
  std::vector<double> numbers;
};

struct LessonExercise {
  enum Kind {
    choice,  // one of several answers
    slider,  // a number between two, near enough
    curve,   // several numbers between two, near enough on average
    click,   // a cell of a matrix
    goal,    // any state in which `holds` does
    fault,   // one of several mistakes, thrown in secret
    book,    // printed rows against computed ones
  } kind = choice;
  bool recalled = false;  // from an earlier lesson
  LessonText question = {};
  std::vector<LessonSet> then = {};  // what happens to the document when the answer is shown
  std::vector<LessonChoice> choices = {};
  // slider, curve: what is guessed, as it is once the answer is shown
  LessonFormula value = {};
  LessonFormula at = {};  // curve: what its points are called, where they are no cells' tokens
  double least = 0, most = 1, near = 0.1;
  LessonCells cells = {};    // click: where
  LessonFormula holds = {};  // goal: when it is reached; click: which cell is right, `it` being its number
  std::vector<LessonText> hints = {};    // from the stage to the formula with numbers
  std::vector<LessonSet> accept = {};    // goal: a state that is reached, the solution
  std::vector<LessonSet> refuse = {};    // goal: one that is not
  std::vector<std::string> faults = {};  // words of known mistakes (core/diagnosis/mistake.h)
  std::vector<PrintedRow> printed = {};
  LessonText says = {};  // when the answer is shown
  std::size_t line = 0;
};

// A choice, a number, a curve or a cell: answered before the answer is shown, and locked then.
bool is_prediction(const LessonExercise& exercise);
// "Predict", "Recall", "Do it", …
std::string title_of(const LessonExercise& exercise);

struct LessonStep {
  std::string title;
  std::string open = {};  // an example, or a session's file; empty: the document of the step before
  std::vector<LessonSet> sets = {};   // what of the document is another
  std::string look = {};              // what is looked at (app/frame/look.h); empty: as before
  std::vector<LessonCells> lit = {};  // the others are dimmed; empty: none are
  std::vector<LessonMark> marks = {};
  std::vector<LessonParagraph> text = {};
  std::vector<LessonExercise> exercises = {};
  std::size_t line = 0;
};

struct Lesson {
  std::string name;  // of the file, without its ending
  std::string title;
  std::string goal;     // in a sentence
  std::string chapter;  // of the course; empty: a chapter of its own
  std::vector<LessonStep> steps;
};

// Throws Error with the line and the reason. Untrusted input: in time and memory by the length of the text,
// of which there may be kLongestLesson bytes.
inline constexpr std::size_t kLongestLesson = std::size_t{1} << 20;
Lesson parse_lesson(std::string name, std::string_view text);

}  // namespace attn
