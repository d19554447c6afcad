// Lessons played over what is open, which stays as it is.
#include <algorithm>
#include <random>

#include "app/canvas/presenting.h"
#include "app/frame/before.h"
#include "app/frame/lit.h"
#include "app/frame/present_view.h"
#include "app/program/application.h"
#include "app/program/lesson_state.h"
#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "core/system/error.h"

namespace attn {
namespace {

constexpr std::size_t kMostLit = 256;  // cells that Tab goes through
constexpr int kFreshFrames = 2;        // the first of which finds how long the panels are

// Null where it cannot be read: it is missing from the course then, and whoever plays it is told why.
std::shared_ptr<const Lesson> readable_lesson(const std::string& name, const Language* language) {
  try {
    return std::make_shared<const Lesson>(read_lesson(name, language));
  } catch (const Error&) {
    return nullptr;
  }
}

std::shared_ptr<const Lesson> in_course(const LessonView& view, const std::string& name) {
  const auto found =
      std::ranges::find_if(view.course, [&](const auto& lesson) { return lesson->name == name; });
  return found == view.course.end() ? nullptr : *found;
}

// What a step's document was made from.
std::string plays_on(const Lesson& lesson, std::size_t step) {
  for (std::size_t i = step + 1; i-- > 0;)
    if (!lesson.steps[i].open.empty()) return lesson.steps[i].open;
  return "a document of its own";
}

// What a step looks at: its own words, or those of the last one before it that has any.
std::string look_words(const Lesson& lesson, std::size_t step) {
  for (std::size_t i = step + 1; i-- > 0;)
    if (!lesson.steps[i].look.empty()) return std::string(look_words(lesson.steps[i]));
  return {};
}

// Of the faults that the document can have any but the last; none: there is none.
std::optional<std::size_t> another_fault(const LessonExercise& exercise, const Document& document,
                                         std::optional<std::size_t> last) {
  std::vector<std::size_t> possible;
  for (std::size_t i = 0; i < exercise.faults.size(); ++i) try {
      with_fault(document, exercise.faults[i]);
      if (last != i) possible.push_back(i);
    } catch (const Error&) {  // the layer has nothing for it
    }
  if (possible.empty()) return std::nullopt;
  std::random_device random;
  return possible[random() % possible.size()];
}

}  // namespace

void Application::begin_course() {
  LessonView& played = lesson();
  if (!played.course.empty()) return;
  played.record = works_.store().load_lessons();
  for (const std::string& name : lesson_names())
    if (auto lesson = readable_lesson(name, language_.language())) played.course.push_back(std::move(lesson));
}

void Application::play_lesson(const std::string& name, std::optional<std::size_t> step) {
  begin_course();
  std::shared_ptr<const Lesson> read = in_course(lesson(), name);
  try {
    if (!read) read = std::make_shared<const Lesson>(read_lesson(name, language_.language()));
    const auto kept = lesson().record.lessons.find(read->name);
    const bool known = kept != lesson().record.lessons.end();
    const std::size_t place = std::min(step.value_or(known ? kept->second.step : 0), read->steps.size() - 1);
    if (lesson_ && lesson().lesson == read) return go_to_lesson_step(step ? place : lesson().step);
    const bool presented = lesson_ && presents(view_);
    leave_lesson();
    LessonPlay play(read, {document(), kept_look(view_)}, look(), workspaces_);
    LessonScene scene = play.begun(place, view_);
    lesson_.emplace(std::move(play));
    LessonView& played = lesson();
    const auto listed =
        std::ranges::find_if(played.course, [&](const auto& one) { return one->name == read->name; });
    listed == played.course.end() ? played.course.push_back(read) : void(*listed = read);  // a file's
    played.lesson = std::move(read);
    played.record.last = played.unfolded = played.lesson->name;
    view_.message.clear();
    put_lesson_step(place, std::move(scene));
    if (presented) begin_presenting(view_);
  } catch (const Error& error) {
    say(error.what(), true);
  }
}

void Application::go_on_with_lessons() {
  begin_course();
  const LessonView& played = lesson();
  if (played.course.empty()) return say("there are no lessons", true);
  const bool known = in_course(played, played.record.last) != nullptr;
  play_lesson(known ? std::string(played.record.last) : played.course.front()->name);
}

// In front of whatever is there.
void Application::put_lesson_step(std::size_t step, LessonScene scene) {
  works_.seat_guest(std::move(scene.document));
  put_look(scene.look, view_);
  LessonView& played = lesson();  // behind what puts it elsewhere
  // What was to be shown again and was not is not half there when one comes back.
  for (const std::size_t exercise : played.again) played.answers.erase({played.step, exercise});
  LessonProgress& progress = played.record.lessons[played.lesson->name];
  progress.step = played.step = step;
  progress.seen.insert(step);
  played.slide = {.on = presents(view_)};
  present_anew(view_);
  played.fresh = kFreshFrames, played.on_own = played.comparing = false;
  played.pinned = view_.pinned;
  played.plays_on = plays_on(*played.lesson, step);
  view_.inspected.reset();
  view_.field.reset();
  light_step(view_);
  recall_replies();
  compute();
}

void Application::go_to_lesson_step(std::size_t step) {
  if (!lesson_ || step >= lesson().lesson->steps.size()) return;
  LessonView& played = lesson();
  const bool back = step < played.step;
  try {
    LessonScene scene = back ? lesson_->left(step, view_) : lesson_->begun(step, view_);
    if (played.comparing) forget_compared();
    if (works_.guest_in_front() && !played.comparing)
      lesson_->leave(played.step, {document(), kept_look(view_)});
    if (!back)  // what was chosen stays chosen, and is open again
      for (auto& [place, answer] : played.answers)
        if (place.first == step)
          answer = {.choice = answer.choice, .guess = answer.guess, .curve = answer.curve};
    view_.message.clear();
    put_lesson_step(step, std::move(scene));
  } catch (const Error& error) {
    say(error.what(), true);
  }
}

void Application::next_lesson_step() {
  if (!lesson_) return;
  const LessonView& played = lesson();
  if (played.step + 1 < played.lesson->steps.size()) return go_to_lesson_step(played.step + 1);
  const auto now = std::ranges::find(played.course, played.lesson);
  if (now == played.course.end() || now + 1 == played.course.end()) return leave_lesson();
  play_lesson(std::string((*(now + 1))->name), 0);
}

void Application::turn_lesson_page(int direction) {
  if (!lesson_) return;
  const LessonView& played = lesson();
  const LessonSlide slide = played.slide;
  const bool on = slide.on && slide.page + 1 < slide.pages, back = slide.on && slide.page > 0;
  if (direction > 0) return on ? void(++lesson().slide.page) : next_lesson_step();
  if (back) return void(--lesson().slide.page);
  if (played.step == 0) return;
  go_to_lesson_step(played.step - 1);
  lesson().slide.page = kLastPage;  // of what stands elsewhere now
}

void Application::leave_lesson() {
  if (!lesson_) return;
  end_presenting(view_);
  works_.store().save_lessons(lesson().record);
  works_.dismiss_guest();
  put_look(lesson_->own().look, view_);
  LessonView& played = lesson();
  played.lesson = nullptr;
  played.on_own = played.comparing = false;
  played.answers.clear();
  lesson_.reset();
  view_.field.reset();
  light_step(view_);
  compute();
  say("left the lesson: Help ▸ Lessons goes on where you were");
}

// The person's own view, as far as it can be the step's.
void Application::look_at_own() {
  put_look(lesson_->own().look, view_);
  Document draft = document();  // what a look says of a document is left out
  View looks = view_;
  try {
    attn::look(look_words(*lesson().lesson, lesson().step), draft, looks, workspaces_);
    view_ = std::move(looks);
  } catch (const Error& error) {
    say(std::string("your own layer cannot be looked at in the same way: ") + error.what(), true);
  }
}

void Application::turn_lesson() {
  if (!lesson_) return;
  if (lesson().comparing) end_comparing();
  LessonView& played = lesson();
  played.on_own = !played.on_own;
  if (played.on_own) lesson_->leave(played.step, {document(), kept_look(view_)});
  works_.show_guest(!played.on_own);
  if (played.on_own)
    look_at_own();
  else
    put_look(lesson_->left(played.step, view_).look, view_);
  light_step(view_);
  compute();
}

void Application::throw_fault(const LessonExercise& exercise, LessonAnswer& answer) {
  LessonView& played = lesson();
  const Document sound = answer.thrown ? answer.sound : document();
  const auto fault = another_fault(exercise, sound, played.last);
  if (!fault) return say("the layer can have none of these faults", true);
  answer = {.thrown = fault, .sound = sound};
  played.last = fault;
  change(with_fault(sound, exercise.faults[*fault]));
}

void Application::show_lesson_answer(std::size_t index) {
  if (!lesson_ || !works_.guest_in_front() || index >= lesson().now().exercises.size()) return;
  if (lesson().comparing) end_comparing();
  const LessonExercise& exercise = lesson().now().exercises[index];
  LessonAnswer& answer = lesson().answer(index);
  if (exercise.kind == LessonExercise::fault) return throw_fault(exercise, answer);
  if (answer.shown || !is_answered(exercise, answer)) return;
  const auto& results = shown_.engine().results;
  if (!results || !(results->document == document()))
    return say("the numbers are still being computed: try again");
  answer.before = results;
  Document draft = document();
  try {
    apply_sets(exercise.then, draft, view_, live_numbers(answer.before.get(), answer));
    answer.shown = true;
    pin_before(view_, answer.before);  // what becomes another number is outlined, and says what it was
    change(draft);
  } catch (const Error& error) {
    say(error.what(), true);
  }
}

void Application::show_lesson_hint() {
  if (!lesson_) return;
  if (lesson().comparing) end_comparing();
  const std::vector<LessonExercise>& all = lesson().now().exercises;
  for (std::size_t i = 0; i < all.size(); ++i) {
    LessonAnswer& answer = lesson().answer(i);
    if (answer.shown || !lesson().asks(i)) continue;
    if (answer.hints < all[i].hints.size()) return void(++answer.hints);
    if (all[i].accept.empty() || !works_.guest_in_front()) continue;
    answer.hints = all[i].hints.size() + 1;
    Document draft = document();
    try {
      apply_sets(all[i].accept, draft, view_, {.now = shown_.engine().results.get()});
      return change(draft);
    } catch (const Error& error) {
      return say(error.what(), true);
    }
  }
}

// Tab, where nothing else has the keyboard: to the first of the lit cells, and from one to the next.
void Application::tab_through_lit() {
  if (Lit& lit = view_.of<Lit>(); lit.holds_keyboard && !view_.grid.selection && lit.keyboard.empty())
    lit.holds_keyboard = false, show_focus(false);  // keys are the lesson's again
  const bool elsewhere = ringed_item() != 0 && !view_.grid.has_keys;
  if (!lesson_ || elsewhere || view_.grid.open() || view_.overlays.any() || !key_pressed(GLFW_KEY_TAB) ||
      ImGui::GetIO().KeyShift || ImGui::IsAnyItemActive())
    return;
  const std::vector<Spot> cells = lit_cells(view_.of<Lit>(), shown_.graph(), kMostLit);
  auto next = cells.begin();
  if (const auto& selection = view_.grid.selection)
    if (const auto now = std::ranges::find(cells, Spot{selection->anchor.stage, selection->cursor});
        now != cells.end())
      next = now + 1;
  if (next == cells.end() || !take_tab()) return;
  view_.grid.selection = Selection{*next, next->cell};
  view_.pinned = *next;
  view_.of<Lit>().keyboard = view_.canvas().reveal = next->stage;
}

}  // namespace attn
