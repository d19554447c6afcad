// Lessons are opened by name; while one is played, it takes its keys from all other commands.
#include "app/program/lesson_commands.h"

#include <algorithm>

#include "app/canvas/steps.h"
#include "app/frame/present_view.h"
#include "app/program/application.h"
#include "app/program/lesson_state.h"
#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "core/system/error.h"

namespace attn {
namespace {

constexpr int kMostDigits = 9;
constexpr double kNudge = 0.05;  // of the range of a slider or a curve

LessonAnswer* present_answer(Application& app) {
  const auto exercise = present_exercise(app.lesson());
  return exercise ? &app.lesson().answer(*exercise) : nullptr;
}

// Shows what is answered; whether there was something.
bool show_present(Application& app) {
  const auto index = present_exercise(app.lesson());
  if (!index) return false;
  const LessonExercise& exercise = app.lesson().now().exercises[*index];
  const LessonAnswer& answer = app.lesson().answer(*index);
  if (!is_answered(exercise, answer)) return false;
  app.show_lesson_answer(*index);
  return true;
}

void show_or_play(Application& app) {
  if (show_present(app)) return;
  const auto index = present_exercise(app.lesson());
  if (index && app.lesson().now().exercises[*index].kind == LessonExercise::fault &&
      !app.lesson().answer(*index).thrown)
    return app.show_lesson_answer(*index);
  toggle_play(app.view(), app.document(), app.steps());
}

// The curve that the present exercise asks for, begun where it was not; null: it asks for none.
std::vector<double>* present_curve(Application& app) {
  const auto index = present_exercise(app.lesson());
  if (!index) return nullptr;
  const LessonExercise& exercise = app.lesson().now().exercises[*index];
  if (exercise.kind != LessonExercise::curve) return nullptr;
  LessonAnswer& answer = app.lesson().answer(*index);
  std::vector<double>& drawn =
      begin_curve(exercise, answer, asked_numbers(app.shown().results.get(), answer));
  return drawn.empty() ? nullptr : &drawn;
}

// The answer with that number, the fault, or the point of a curve.
void choose(Application& app, std::size_t i) {
  const auto index = present_exercise(app.lesson());
  if (!index) return;
  const LessonExercise& exercise = app.lesson().now().exercises[*index];
  LessonAnswer& answer = app.lesson().answer(*index);
  if (const auto* drawn = present_curve(app); drawn && i < drawn->size()) answer.point = i;
  if (exercise.kind == LessonExercise::choice && i < exercise.choices.size()) answer.choice = i;
  const bool suspects = exercise.kind == LessonExercise::fault && answer.thrown && i < exercise.faults.size();
  if (suspects && std::ranges::count(answer.suspected, i) == 0) suspect(answer, i);
}

void nudge(Application& app, double by) {
  const auto index = present_exercise(app.lesson());
  if (!index) return;
  const LessonExercise& exercise = app.lesson().now().exercises[*index];
  const double range = exercise.most - exercise.least;
  if (std::vector<double>* drawn = present_curve(app)) {
    double& value = (*drawn)[present_answer(app)->point];
    value = std::clamp(value + by * range, exercise.least, exercise.most);
  }
  if (exercise.kind != LessonExercise::slider) return;
  std::optional<double>& guess = present_answer(app)->guess;
  guess = std::clamp(guess.value_or(exercise.least + range / 2) + by * range, exercise.least, exercise.most);
}

// While the window presents, a clicker's keys turn pages.
void add_pages(std::vector<Command>& list, Application& app) {
  const LessonView& played = app.lesson();
  list.push_back({.name = "lesson.next",
                  .title = "Next page of the lesson",
                  .menu = "Help/Lessons",
                  .shortcut = plain(GLFW_KEY_RIGHT),
                  .run = [&app](Desk&) { app.turn_lesson_page(1); },
                  .other_keys = {plain(GLFW_KEY_PAGE_DOWN), plain(GLFW_KEY_F8)}});
  list.push_back({.name = "lesson.back",
                  .title = "Page back in the lesson",
                  .menu = "Help/Lessons",
                  .shortcut = plain(GLFW_KEY_LEFT),
                  .run = [&app](Desk&) { app.turn_lesson_page(-1); },
                  .enabled = played.step > 0 || played.slide.page > 0,
                  .other_keys = {plain(GLFW_KEY_PAGE_UP), plain(GLFW_KEY_F7)}});
  list.push_back({.name = "lesson.first",
                  .title = "First step of the lesson",
                  .shortcut = plain(GLFW_KEY_HOME),
                  .run = [&app](Desk&) { app.go_to_lesson_step(0); }});
  list.push_back({.name = "lesson.last",
                  .title = "Last step of the lesson",
                  .shortcut = plain(GLFW_KEY_END),
                  .run = [&app](Desk&) { app.go_to_lesson_step(app.lesson().lesson->steps.size() - 1); }});
}

void add_steps(std::vector<Command>& list, Application& app) {
  const bool last = app.lesson().step + 1 == app.lesson().lesson->steps.size();
  list.push_back({.name = "lesson.next",
                  .title = last ? "Next lesson" : "Next step of the lesson",
                  .menu = "Help/Lessons",
                  .shortcut = plain(GLFW_KEY_RIGHT),
                  .run = [&app](Desk&) { app.next_lesson_step(); },
                  .other_keys = {plain(GLFW_KEY_F8)}});
  list.push_back({.name = "lesson.back",
                  .title = "Step back in the lesson",
                  .menu = "Help/Lessons",
                  .shortcut = plain(GLFW_KEY_LEFT),
                  .run = [&app](Desk&) { app.go_to_lesson_step(app.lesson().step - 1); },
                  .enabled = app.lesson().step > 0,
                  .other_keys = {plain(GLFW_KEY_F7)}});
}

// Enter is the selected cell's, and presses what has the focus ring.
void add_enter(std::vector<Command>& list, Application& app) {
  const bool enter = !app.view().grid.has_keys && ringed_item() == 0;
  list.push_back({.name = "lesson.on",
                  .title = "Show the answer, else go on",
                  .shortcut = enter ? plain(GLFW_KEY_ENTER) : Shortcut{},
                  .run = [&app](Desk&) {
                    if (!show_present(app)) app.turn_lesson_page(1);
                  }});
  if (enter) list.back().other_keys = {plain(GLFW_KEY_KP_ENTER)};
}

// On a page that asks for none they show one matrix of several.
bool asks_for_guess(const LessonView& played) {
  const auto& exercise = played.slide.exercise;
  if (!exercise) return false;
  const LessonExercise::Kind kind = played.now().exercises[*exercise].kind;
  return kind == LessonExercise::slider || kind == LessonExercise::curve;
}

void add_guesses(std::vector<Command>& list, Application& app) {
  list.push_back(
      {.name = "lesson.more", .title = "Guess more", .shortcut = plain(GLFW_KEY_UP), .run = [&app](Desk&) {
         nudge(app, kNudge);
       }});
  list.push_back(
      {.name = "lesson.less", .title = "Guess less", .shortcut = plain(GLFW_KEY_DOWN), .run = [&app](Desk&) {
         nudge(app, -kNudge);
       }});
}

void add_answers(std::vector<Command>& list, Application& app) {
  list.push_back({.name = "lesson.show",
                  .title = "Show the answer, or play",
                  .shortcut = plain(GLFW_KEY_SPACE),
                  .run = [&app](Desk&) { show_or_play(app); }});
  list.push_back({.name = "lesson.hint",
                  .title = "Hint",
                  .menu = "Help/Lessons",
                  .shortcut = plain(GLFW_KEY_H),
                  .run = [&app](Desk&) { app.show_lesson_hint(); }});
  for (int i = 0; i < kMostDigits; ++i)
    list.push_back({.name = "lesson.answer." + std::to_string(i + 1),
                    .title = "Answer " + std::to_string(i + 1),
                    .shortcut = plain(GLFW_KEY_1 + i),
                    .run = [&app, i](Desk&) { choose(app, static_cast<std::size_t>(i)); }});
  if (!presents(app.view()) || asks_for_guess(app.lesson())) add_guesses(list, app);
  list.push_back({.name = "lesson.own",
                  .title = app.lesson().on_own ? "Back to the lesson’s layer" : "Try the step on my layer",
                  .menu = "Help/Lessons",
                  .shortcut = plain(GLFW_KEY_G),
                  .run = [&app](Desk&) { app.turn_lesson(); }});
  list.push_back({.name = "lesson.take",
                  .title = "Go on from here",
                  .menu = "Help/Lessons",
                  .run = [&app](Desk&) { app.go_on_from_lesson(); },
                  .enabled = !app.lesson().on_own,
                  .says = "the step’s layer, as it is now, becomes a work of your own, and the lesson ends"});
  list.push_back({.name = "lesson.compare",
                  .title = app.lesson().comparing ? "Back from Compare to the step" : "See both in Compare",
                  .menu = "Help/Lessons",
                  .run = [&app](Desk&) { app.compare_fault(); },
                  .enabled = app.can_compare_fault()});
  list.push_back(
      {.name = "lesson.leave", .title = "Leave the lesson", .menu = "Help/Lessons", .run = [&app](Desk&) {
         app.leave_lesson();
       }});
}

bool same_key(const Shortcut& a, const Shortcut& b) {
  return a && to_string(a) == to_string(b);
}

// From those before.
void take_keys(std::vector<Command>& list, std::size_t from) {
  for (std::size_t i = from; i < list.size(); ++i) {
    std::vector<Shortcut> keys = list[i].other_keys;
    keys.push_back(list[i].shortcut);
    for (std::size_t k = 0; k < from; ++k)
      for (const Shortcut& key : keys) {
        if (same_key(key, list[k].shortcut)) list[k].shortcut = {};
        std::erase_if(list[k].other_keys, [&](const Shortcut& other) { return same_key(key, other); });
      }
  }
}

}  // namespace

void lesson_commands(std::vector<Command>& list, Application& app) {
  if (app.plays_lesson()) {
    const std::size_t others = list.size();
    presents(app.view()) ? add_pages(list, app) : add_steps(list, app);
    add_enter(list, app);
    add_answers(list, app);
    take_keys(list, others);
  } else {
    list.push_back({.name = "lesson.go_on",
                    .title = "Go on with the lessons",
                    .menu = "Help/Lessons",
                    .run = [&app](Desk&) { app.go_on_with_lessons(); }});
  }
  const Lesson* played = app.lesson().lesson.get();
  for (const LessonTitle& lesson : app.language().lesson_titles())
    list.push_back({.name = "lesson.play." + lesson.name,
                    .title = lesson.title,
                    .menu = "Help/Lessons",
                    .run = [&app, &lesson](Desk&) { app.play_lesson(lesson.name); },
                    .checked = played && played->name == lesson.name,
                    .says = lesson.goal});
}

}  // namespace attn
