// What all exercises have: a head, the question, the way to the answer, what is said then.
#include "app/lesson/exercises.h"

#include <algorithm>
#include <utility>

#include "app/inspector/inspector_numbers.h"
#include "app/theme/toolkit.h"
#include "app/widgets/chips.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

using inspector::Flow;

const char* state_of(const LessonExercise& exercise, const LessonAnswer& answer) {
  if (answer.shown) return exercise.kind == LessonExercise::goal ? "reached" : "answered";
  switch (exercise.kind) {
    case LessonExercise::choice:
      return answer.choice ? "Enter reveals" : "choose, then reveal";
    case LessonExercise::slider:
      return "drag, then reveal";
    case LessonExercise::curve:
      return "draw, then reveal";
    case LessonExercise::click:
      return "click, then reveal";
    case LessonExercise::fault:
      return answer.thrown ? "two guesses" : "";
    case LessonExercise::goal:
      return "any way there counts";
    default:
      return "";
  }
}

// Counted where there are several.
std::string number_of(const ExercisePart& part) {
  const std::vector<LessonExercise>& all = part.flow.frame.view.of<LessonView>().now().exercises;
  if (!is_prediction(part.exercise) || std::ranges::count_if(all, is_prediction) < 2) return "";
  const auto here = all.begin() + static_cast<std::ptrdiff_t>(part.index);
  return " " + std::to_string(1 + std::count_if(all.begin(), here, is_prediction));
}

void draw_head(ExercisePart& part) {
  Flow& flow = part.flow;
  const Theme& theme = part.theme();
  flow.y += flow.px(6);
  if (!flow.frame.view.of<LessonView>().slide.on)
    flow.list.AddLine({flow.left, flow.y}, {flow.right, flow.y}, theme.border);
  flow.y += flow.px(6);
  ImGui::PushFont(theme.fonts.bold);
  const Rect line = inspector::add_line(flow);
  inspector::put(flow, line, title_of(part.exercise) + number_of(part),
                 part.answer.shown ? theme.good : theme.warning);
  ImGui::PopFont();
  ImGui::PushFont(theme.fonts.small);
  inspector::put(flow, line, state_of(part.exercise, part.answer), theme.dim, 1);
  ImGui::PopFont();
}

void draw_answer(ExercisePart& part) {
  using Draw = void (*)(ExercisePart&);
  const auto draw = [&]() -> Draw {
    switch (part.exercise.kind) {
      case LessonExercise::choice:
        return draw_choices;
      case LessonExercise::slider:
        return draw_slider;
      case LessonExercise::curve:
        return draw_curve;
      case LessonExercise::click:
        return draw_click;
      case LessonExercise::goal:
        return draw_goal;
      case LessonExercise::fault:
        return draw_fault;
      default:
        return draw_book;
    }
  }();
  draw(part);
}

// What a prediction's answer made, as soon as it is computed.
void keep_after(const Frame& frame, const LessonExercise& exercise, LessonAnswer& answer) {
  const auto& results = frame.engine.results;
  if (is_prediction(exercise) && answer.shown && !answer.after && results && results->document == frame.draft)
    answer.after = results;
}

// What has been answered is counted once it is known.
void keep_verdict(ExercisePart& part) {
  if (!part.answer.shown || part.exercise.kind == LessonExercise::book) return;
  LessonView& view = part.flow.frame.view.of<LessonView>();
  const auto right = verdict(part.exercise, part.answer, part.live.now, part.flow.frame.draft);
  if (right && !view.on_own)
    view.record.lessons[view.lesson->name].answered.try_emplace({view.step, part.index}, *right);
}

// What a book is held against: the step as it is, or was before an answer made another of it.
std::shared_ptr<const Results> before_answers(const Frame& frame) {
  const LessonView& view = std::as_const(frame.view).of<LessonView>();
  for (std::size_t i = 0; i < view.now().exercises.size(); ++i)
    if (const auto answer = view.answers.find({view.step, i});
        answer != view.answers.end() && answer->second.before)
      return answer->second.before;
  return frame.engine.results;
}

// A book asks for no answer: it is about the step as it is met.
void hold_against_step(ExercisePart& part) {
  if (part.exercise.kind != LessonExercise::book) return;
  part.results = before_answers(part.flow.frame);
  part.asked = part.live = {.now = part.results.get()};
}

// Whether there is something to ask about: a fault is made first.
bool is_made(const ExercisePart& part) {
  return part.exercise.kind != LessonExercise::fault || part.answer.thrown;
}

}  // namespace

void draw_exercises(Flow& flow) {
  LessonView& view = flow.frame.view.of<LessonView>();
  const std::vector<LessonExercise>& all = view.now().exercises;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!view.asks(i)) continue;
    LessonAnswer& answer = view.answer(i);
    keep_after(flow.frame, all[i], answer);
    ExercisePart part{flow,
                      all[i],
                      answer,
                      i,
                      asked_numbers(flow.frame.results, answer),
                      live_numbers(flow.frame.results, answer)};
    hold_against_step(part);
    ImGui::PushID(static_cast<int>(i));
    draw_head(part);
    if (is_made(part))
      add_lesson_text(flow, part.exercise.question, part.asked, {flow.theme().fonts.body, flow.theme().text});
    draw_answer(part);
    if (answer.shown && part.exercise.kind != LessonExercise::book)
      say_answer(part, part.exercise.says, flow.theme().dim);
    keep_verdict(part);
    ImGui::PopID();
  }
}

std::string two_digits(double value) {
  return inspector::write(value, {2, false});
}

void say_answer(ExercisePart& part, const LessonText& text, ImU32 colour) {
  if (!text.empty()) add_lesson_text(part.flow, text, part.live, {part.theme().fonts.body, colour});
}

void draw_reveal(ExercisePart& part, const std::string& beside) {
  Flow& flow = part.flow;
  if (!part.answer.shown && is_answered(part.exercise, part.answer)) {
    const auto pressed =
        inspector::add_chips(flow, "reveal", {"reveal ⏎"}, "shows the answer, and locks yours");
    if (pressed) flow.frame.asks.emplace_back(ShowAnswer{part.index});
  }
  if (!beside.empty()) inspector::add_text(flow, beside, part.theme().dim, part.theme().fonts.small);
}

void draw_hints(ExercisePart& part, std::size_t count, const char* more) {
  Flow& flow = part.flow;
  const std::size_t shown = std::min(part.answer.hints, part.exercise.hints.size());
  for (std::size_t i = 0; i < shown; ++i)
    add_lesson_text(part.flow, part.exercise.hints[i], part.asked,
                    {part.theme().fonts.body, part.theme().dim});
  if (part.answer.shown || part.answer.hints >= count) return;
  if (inspector::add_chips(flow, "hint", {more}, "H")) flow.frame.commands.push_back("lesson.hint");
}

}  // namespace attn
