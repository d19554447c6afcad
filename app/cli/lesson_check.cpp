// A lesson replayed and held against what it says.
#include "app/cli/lesson_check.h"

#include <algorithm>
#include <cmath>

#include "app/cli/lesson_replay.h"
#include "app/program/lesson_state.h"
#include "core/lesson/curve_points.h"
#include "core/system/error.h"

namespace attn {

namespace {

std::size_t words_of(std::string_view text) {
  std::size_t words = 0;
  bool inside = false;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\n';
    words += !space && !inside;
    inside = !space;
  }
  return words;
}

class LessonChecker {
 public:
  explicit LessonChecker(const Lesson& lesson, std::span<const Workspace> workspaces)
      : lesson_(lesson), workspaces_(workspaces), replay_(lesson, workspaces) {}

  LessonVerdict check() {
    for (bool more = true; more;) {
      bool entered = false;
      attempt([&] { entered = more = replay_.next(); });
      if (!entered) break;
      check_step(replay_.step());
    }
    check_whole();
    return std::move(verdict_);
  }

 private:
  template <class Work>
  void attempt(const Work& work) {
    try {
      work();
    } catch (const Error& error) {
      verdict_.faults.emplace_back(error.what());
    }
  }
  void expect(bool right, std::size_t line, const std::string& why) {
    if (!right) verdict_.faults.push_back("line " + std::to_string(line) + ": " + why);
  }

  void check_cells(const LessonCells& cells) {
    const auto stage = replay_.live().now->graph.find(cells.stage);
    if (!stage) return expect(false, cells.line, "no stage “" + cells.stage + "” in this workspace");
    const Shape shape = replay_.live().now->graph.stages[*stage].shape;
    expect(holds(shape, {cells.head.value_or(0), cells.row.value_or(0), cells.column.value_or(0)}),
           cells.line, cells.stage + " is " + to_string(shape) + ", and has no such cells");
  }

  std::string said(const LessonText& text, const LiveNumbers& live) {
    std::string words;
    attempt([&] { words = plain(say(text, live)); });
    return words;
  }

  // How many words are said now.
  std::size_t check_text(const LessonStep& step) {
    std::size_t words = 0, told = 0;
    for (const LessonParagraph& paragraph : step.text) {
      bool now = true;
      if (!paragraph.when.empty()) attempt([&] { now = holds(paragraph.when, replay_.live()); });
      const std::string text = said(paragraph.text, replay_.live());
      if (now) words += words_of(text), ++told;
    }
    expect(step.text.empty() || told > 0, step.line, "of the step’s text nothing is said");
    return words;
  }

  void check_step(const LessonStep& step) {
    for (const LessonCells& cells : step.lit) check_cells(cells);
    for (const LessonMark& mark : step.marks) check_cells(mark.at);
    words_.push_back(check_text(step));
    for (const LessonExercise& exercise : step.exercises) {
      ++verdict_.exercises;
      predictions_ += is_prediction(exercise) && !exercise.recalled;
      goals_ += exercise.kind == LessonExercise::goal || exercise.kind == LessonExercise::fault;
      attempt([&] { check_exercise(exercise); });
    }
    const std::size_t faults = verdict_.faults.size();
    check_in_turn(step);
    for (std::size_t i = faults; i < verdict_.faults.size(); ++i)
      verdict_.faults[i] += " (behind the answer before it)";
  }

  // The text and every exercise once more, of the document that the answer before leaves.
  void check_in_turn(const LessonStep& step) {
    const Document begun = replay_.document();
    for (std::size_t i = 0; i < step.exercises.size(); ++i)
      attempt([&] {
        const LessonExercise& one = step.exercises[i];
        const auto& sets = one.kind == LessonExercise::goal ? one.accept : one.then;
        replay_.put(replay_.after(sets).now->document);
        check_text(step);
        if (i + 1 < step.exercises.size()) check_exercise(step.exercises[i + 1]);
      });
    if (!step.exercises.empty()) replay_.put(begun);
  }

  void check_exercise(const LessonExercise& one) {
    said(one.question, replay_.live());
    for (const LessonText& hint : one.hints) said(hint, replay_.live());
    switch (one.kind) {
      case LessonExercise::choice:
        return check_choice(one);
      case LessonExercise::slider:
        return check_slider(one);
      case LessonExercise::curve:
        return check_curve(one);
      case LessonExercise::click:
        return check_click(one);
      case LessonExercise::goal:
        return check_goal(one);
      case LessonExercise::fault:
        return check_faults(one);
      case LessonExercise::book:
        return check_book(one);
    }
  }

  void check_choice(const LessonExercise& one) {
    const LiveNumbers live = replay_.after(one.then);
    std::size_t right = 0;
    for (const LessonChoice& choice : one.choices) {
      right += holds(choice.holds, live);
      said(choice.text, live);
      said(choice.says, live);
    }
    said(one.says, live);
    expect(right == 1, one.line, std::to_string(right) + " answers hold, not one");
  }

  void expect_near(const LessonExercise& one, const char* where) {
    expect(one.near > 0 && one.near * 4 <= one.most - one.least, one.line,
           std::string("“near” takes half of the ") + where + " for right");
  }

  void check_slider(const LessonExercise& one) {
    const double now = number(one.value, replay_.live());
    const LiveNumbers live = replay_.after(one.then);
    const double truth = number(one.value, live);
    said(one.says, live);
    expect(truth >= one.least && truth <= one.most, one.line, "the answer lies beyond the slider");
    expect(now >= one.least && now <= one.most, one.line, "what it is now lies beyond the slider");
    expect_near(one, "slider");
  }

  void check_curve(const LessonExercise& one) {
    const std::vector<double> now = curve_points(one, replay_.live()).values;
    const LiveNumbers live = replay_.after(one.then);
    const std::vector<double> truth = curve_points(one, live).values;
    said(one.says, live);
    const auto inside = [&](double value) { return value >= one.least && value <= one.most; };
    expect(truth.size() == now.size(), one.line,
           "the curve has " + std::to_string(now.size()) + " points, and another number once it is shown");
    expect(std::ranges::all_of(truth, inside), one.line, "the curve leaves its range");
    expect(std::ranges::all_of(now, inside), one.line, "the curve as it is now leaves its range");
    expect_near(one, "range");
    expect(one.then.empty() || truth.size() != now.size() || mean_difference(now, truth) > one.near, one.line,
           "the curve as it is now is near enough");
  }

  void check_click(const LessonExercise& one) {
    check_cells(one.cells);
    const LiveNumbers live = replay_.after(one.then);
    const StageResult stage = live.now->result(one.cells.stage);
    const std::vector<Cell> cells = cells_in(one.cells, stage.shape());
    const auto right = std::ranges::count_if(cells, [&](Cell cell) {
      LiveNumbers clicked = live;
      clicked.it = stage[cell];
      return holds(one.holds, clicked);
    });
    expect(right > 0 && right < std::ssize(cells), one.line,
           std::to_string(right) + " of " + std::to_string(cells.size()) + " cells are right");
    said(one.says, live);
  }

  void check_goal(const LessonExercise& one) {
    expect(!holds(one.holds, replay_.live()), one.line, "the goal is reached before anything is done");
    expect(holds(one.holds, replay_.after(one.accept)), one.line, "what is accepted does not reach the goal");
    said(one.says, replay_.after(one.accept));
    expect(!holds(one.holds, replay_.after(one.refuse)), one.line, "what is refused reaches the goal");
  }

  void check_faults(const LessonExercise& one) {
    std::vector<Tensor> outputs{replay_.live().now->outputs.back().whole()};
    for (const std::string& word : one.faults) {
      Tensor output;
      try {
        const LiveNumbers live = replay_.of(with_fault(replay_.document(), word));
        output = live.now->outputs.back().whole();
        said(one.says, live);
      } catch (const Error& error) {
        expect(false, one.line, error.what());
        continue;
      }
      for (const Tensor& other : outputs)
        expect(differ(output, other), one.line, word + " makes the numbers of another, or of none");
      outputs.push_back(output);
    }
  }

  // Clearly: so that it can be seen.
  static bool differ(const Tensor& a, const Tensor& b) {
    if (a.shape() != b.shape()) return true;
    double most = 0;
    for (std::size_t i = 0; i < a.values().size(); ++i)
      most = std::max(most, std::abs(static_cast<double>(a.values()[i]) - b.values()[i]));
    return !(most < 1e-3);
  }

  void check_book(const LessonExercise& one) {
    double most = 0;
    for (const PrintedRow& row : one.printed) {
      check_cells(row.of);
      const StageResult stage = replay_.live().now->result(row.of.stage);
      const std::vector<Cell> cells = cells_in(row.of, stage.shape());
      for (std::size_t i = 0; i < std::min(cells.size(), row.numbers.size()); ++i)
        most = std::max(most, std::abs(row.numbers[i] - static_cast<double>(stage[cells[i]])));
      expect(cells.size() == row.numbers.size(), row.of.line,
             std::to_string(row.numbers.size()) + " numbers are printed, but there are " +
                 std::to_string(cells.size()) + " cells");
    }
    expect(most > 5e-4, one.line, "what is printed is what is computed");
    said(one.says, replay_.live());
  }

  void check_whole() {
    const std::size_t line = lesson_.steps.front().line;
    expect(predictions_ > 0, line, "the lesson has no prediction: “### predict”");
    expect(goals_ > 0, line, "the lesson has nothing to do: “### do” or “### break”");
    if (!words_.empty()) {
      std::ranges::sort(words_);
      const std::size_t median = words_[(words_.size() - 1) / 2];
      expect(median <= kMedianWords, line,
             "half of the steps have more than " + std::to_string(kMedianWords) +
                 " words: " + std::to_string(median));
    }
    // The way back is the way there again.
    attempt([&] {
      LessonReplay again(lesson_, workspaces_);
      while (again.next()) continue;
      expect(again.document() == replay_.document(), line,
             "played again, the last step has another document");
    });
  }

  const Lesson& lesson_;
  std::span<const Workspace> workspaces_;
  LessonReplay replay_;
  LessonVerdict verdict_;
  std::vector<std::size_t> words_;
  std::size_t predictions_ = 0, goals_ = 0;
};

}  // namespace

LessonVerdict check_lesson(const Lesson& lesson, std::span<const Workspace> workspaces) {
  return LessonChecker(lesson, workspaces).check();
}

}  // namespace attn
