// Where one is in a lesson, and what an answer is worth.
#include "app/lesson/lesson_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/frame/lit.h"
#include "core/lesson/curve_points.h"
#include "core/system/error.h"

namespace attn {
namespace {

bool is_asked(const LessonExercise& exercise) {
  using enum LessonExercise::Kind;
  return exercise.kind == choice || exercise.kind == slider || exercise.kind == curve ||
         exercise.kind == click || exercise.kind == fault;
}

bool is_near(const LessonExercise& exercise, const std::vector<double>& drawn, const LiveNumbers& live) {
  const std::vector<double> truth = evaluate(exercise.value, live).values;
  return drawn.size() == truth.size() && mean_difference(drawn, truth) <= exercise.near;
}

bool is_right(const LessonExercise& exercise, const LessonAnswer& answer, const LiveNumbers& live) {
  switch (exercise.kind) {
    case LessonExercise::choice:
      return answer.choice && holds(exercise.choices[*answer.choice].holds, live);
    case LessonExercise::slider:
      return answer.guess && std::abs(number(exercise.value, live) - *answer.guess) <= exercise.near;
    case LessonExercise::curve:
      return !answer.curve.empty() && is_near(exercise, answer.curve, live);
    case LessonExercise::fault:
      return answer.thrown && std::ranges::count(answer.suspected, *answer.thrown) > 0;
    default:
      return holds(exercise.holds, live);
  }
}

}  // namespace

bool LessonView::needs_controls() const {
  const auto sets = [](const LessonExercise& exercise) {
    return !std::ranges::all_of(exercise.accept, &LessonSet::cells);
  };
  return on_own || std::ranges::any_of(now().exercises, sets);
}

std::size_t steps_seen(const Lesson& lesson, const LessonRecord& record) {
  const auto kept = record.lessons.find(lesson.name);
  if (kept == record.lessons.end()) return 0;
  return static_cast<std::size_t>(
      std::ranges::count_if(kept->second.seen, [&](std::size_t step) { return step < lesson.steps.size(); }));
}

std::optional<std::size_t> present_exercise(const LessonView& view) {
  const std::vector<LessonExercise>& all = view.now().exercises;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto answer = view.answers.find({view.step, i});
    if (view.asks(i) && is_asked(all[i]) && (answer == view.answers.end() || !answer->second.shown)) return i;
  }
  return std::nullopt;
}

bool is_answered(const LessonExercise& exercise, const LessonAnswer& answer) {
  using enum LessonExercise::Kind;
  return (exercise.kind == choice && answer.choice) || (exercise.kind == slider && answer.guess) ||
         (exercise.kind == curve && !answer.curve.empty()) || (exercise.kind == click && answer.cell);
}

std::vector<double> first_curve(const LessonExercise& exercise, const LiveNumbers& asked) {
  std::vector<double> first;
  try {
    first = curve_points(exercise, asked).values;
  } catch (const Error&) {  // the exercise says so
  }
  for (double& value : first)
    value = exercise.then.empty() || std::isnan(value) ? (exercise.least + exercise.most) / 2
                                                       : std::clamp(value, exercise.least, exercise.most);
  return first;
}

std::vector<double>& begin_curve(const LessonExercise& exercise, LessonAnswer& answer,
                                 const LiveNumbers& asked) {
  std::vector<double> first = first_curve(exercise, asked);
  if (answer.curve.size() != first.size()) answer.curve = std::move(first), answer.point = 0;
  return answer.curve;
}

LessonReply reply_of(const LessonAnswer& answer) {
  return {answer.choice, answer.guess,     answer.curve, answer.cell,
          answer.thrown, answer.suspected, answer.shown};
}

LessonAnswer answer_of(const LessonExercise& exercise, const LessonReply& reply) {
  using enum LessonExercise::Kind;
  LessonAnswer answer;
  if (exercise.kind == choice && reply.choice < exercise.choices.size()) answer.choice = reply.choice;
  if (exercise.kind == slider && reply.guess)
    answer.guess = std::clamp(*reply.guess, exercise.least, exercise.most);
  if (exercise.kind == LessonExercise::curve)
    for (const double point : reply.curve)
      answer.curve.push_back(std::clamp(point, exercise.least, exercise.most));
  if (exercise.kind == click && reply.cell && contains(exercise.cells, reply.cell->stage, reply.cell->cell))
    answer.cell = reply.cell;
  if (exercise.kind == fault && reply.shown && reply.thrown < exercise.faults.size()) {
    answer.thrown = reply.thrown;
    for (const std::size_t each : reply.suspected)
      if (each < exercise.faults.size()) answer.suspected.push_back(each);
  }
  answer.shown = exercise.kind == goal && reply.shown;
  return answer;
}

void suspect(LessonAnswer& answer, std::size_t fault) {
  answer.suspected.push_back(fault);
  answer.shown = fault == answer.thrown || answer.suspected.size() == kMostSuspected;
}

LiveNumbers asked_numbers(const Results* now, const LessonAnswer& answer) {
  return {.now = answer.before ? answer.before.get() : now};
}

LiveNumbers live_numbers(const Results* now, const LessonAnswer& answer) {
  LiveNumbers live{.now = answer.after ? answer.after.get() : now, .before = answer.before.get()};
  const Results* asked = asked_numbers(now, answer).now;
  if (!answer.cell || !asked) return live;
  if (const StageResult stage = asked->result(answer.cell->stage); stage.holds(answer.cell->cell))
    live.it = static_cast<double>(stage[answer.cell->cell]);
  return live;
}

std::optional<bool> verdict(const LessonExercise& exercise, const LessonAnswer& answer, const Results* now,
                            const Document& document) {
  if (!answer.after && !(now && now->document == document)) return std::nullopt;
  try {
    return is_right(exercise, answer, live_numbers(now, answer));
  } catch (const Error&) {  // its text says why
    return std::nullopt;
  }
}

void light_step(View& view) {
  const LessonView& played = std::as_const(view).of<LessonView>();
  Lit& lit = view.of<Lit>() = {};
  if (!played.lesson || played.comparing) return;
  lit.cells = played.now().lit;
  if (!lit.cells.empty())  // what is to be clicked can be seen
    for (const LessonExercise& one : played.now().exercises)
      if (one.kind == LessonExercise::click) lit.cells.push_back(one.cells);
  lit.marks = played.now().marks;
}

}  // namespace attn
