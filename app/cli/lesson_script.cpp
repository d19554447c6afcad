// Steps of lessons in words.
#include "app/cli/lesson_script.h"

#include <array>

#include "app/lesson/row_words.h"
#include "app/words/table.h"
#include "core/diagnosis/mistake.h"
#include "core/lesson/curve_points.h"

namespace attn {
namespace {

std::string in_few_digits(double value) {
  return short_number(static_cast<float>(value));
}

class ScriptWriter {
 public:
  ScriptWriter(LessonReplay& replay, bool answers, const Language* language)
      : replay_(replay), answers_(answers), language_(language) {}

  std::vector<ScriptLine> write() {
    for (const LessonParagraph& paragraph : replay_.step().text) {
      constexpr std::array kKinds{ScriptLine::said, ScriptLine::why, ScriptLine::attempt};
      if (!paragraph.when.empty() && !holds(paragraph.when, replay_.live())) continue;
      add(kKinds[paragraph.kind], paragraph.kind == LessonParagraph::attempt ? "Try" : "",
          plain(say(paragraph.text, replay_.live())));
    }
    for (const LessonExercise& exercise : replay_.step().exercises) write(exercise);
    return std::move(lines_);
  }

 private:
  std::string spoken(const std::string& english) const { return in_language(language_, english); }
  void add(ScriptLine::Kind kind, const std::string& lead, std::string text) {
    lines_.push_back({kind, spoken(lead), std::move(text)});
  }
  void add(ScriptLine::Kind kind, const std::string& lead, const LessonText& text, const LiveNumbers& live) {
    if (!text.empty()) add(kind, lead, plain(say(text, live)));
  }

  void write(const LessonExercise& one) {
    add(ScriptLine::question, title_of(one), one.question, replay_.live());
    for (std::size_t i = 0; i < one.choices.size(); ++i)
      add(ScriptLine::choice, std::to_string(i + 1), one.choices[i].text, replay_.live());
    if (one.kind == LessonExercise::slider)
      add(ScriptLine::choice, "",
          spoken("from " + in_few_digits(one.least) + " to " + in_few_digits(one.most) + ", now " +
                 in_few_digits(number(one.value, replay_.live()))));
    if (one.kind == LessonExercise::curve) write_curve(one);
    for (const PrintedRow& row : one.printed) write(row);
    for (const std::string& word : one.faults)
      if (const Mistake* known = find_mistake(word))
        add(ScriptLine::choice, "", spoken(std::string(known->title)));
    if (answers_) write_answer(one);
  }

  // "the 0.27, cat 0.27, sat 0.45".
  static std::string said(const CurvePoints& points) {
    std::string text;
    for (std::size_t i = 0; i < points.values.size(); ++i)
      text += (i > 0 ? ", " : "") + points.names[i] + " " + in_few_digits(points.values[i]);
    return text;
  }

  // What is now is said where the answer will make another of it.
  void write_curve(const LessonExercise& one) {
    const CurvePoints now = curve_points(one, replay_.live());
    std::string names;
    for (const std::string& name : now.names) names += (names.empty() ? "" : ", ") + name;
    add(ScriptLine::choice, "",
        spoken("a number from " + in_few_digits(one.least) + " to " + in_few_digits(one.most) +
               " for each of " + names + (one.then.empty() ? "" : "; now " + said(now))));
  }

  void write(const PrintedRow& row) {
    const StageResult stage = replay_.live().now->result(row.of.stage);
    std::string text = row_words(replay_.live().now->graph, row.of) + ", printed:";
    for (const double x : row.numbers) text += " " + in_few_digits(x);
    text += "; computed:";
    for (const Cell cell : cells_in(row.of, stage.shape())) text += " " + short_number(stage[cell]);
    add(ScriptLine::row, "", spoken(text));
  }

  void write_answer(const LessonExercise& one) {
    for (const LessonText& hint : one.hints) add(ScriptLine::hint, "Hint", hint, replay_.live());
    const bool goal = one.kind == LessonExercise::goal;
    const LiveNumbers live = replay_.after(goal ? one.accept : one.then);
    if (goal) {
      std::string sets;
      for (const LessonSet& set : one.accept)
        sets += (sets.empty() ? "" : "; ") + set.name + " = " + set.value;
      add(ScriptLine::answer, "One solution", std::move(sets));
    }
    for (std::size_t i = 0; i < one.choices.size(); ++i)
      if (holds(one.choices[i].holds, live))
        add(ScriptLine::answer, "Answer",
            std::to_string(i + 1) + ". " + plain(say(one.choices[i].says, live)));
    if (one.kind == LessonExercise::slider)
      add(ScriptLine::answer, "Answer", in_few_digits(number(one.value, live)));
    if (one.kind == LessonExercise::curve) add(ScriptLine::answer, "Answer", said(curve_points(one, live)));
    add(ScriptLine::answer, "", one.says, live);
  }

  LessonReplay& replay_;
  bool answers_;
  const Language* language_;
  std::vector<ScriptLine> lines_;
};

}  // namespace

std::vector<ScriptLine> script_of(LessonReplay& replay, bool answers, const Language* language) {
  return ScriptWriter(replay, answers, language).write();
}

}  // namespace attn
