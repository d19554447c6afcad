// A lesson as it is played: where one is in it, and what one has answered. In view.of<LessonView>().
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/frame/frame.h"
#include "app/lesson/lesson_record.h"
#include "core/lesson/live_numbers.h"

namespace attn {

// What was answered to an exercise of the step that is played.
struct LessonAnswer {
  std::optional<std::size_t> choice = {};      // of several answers
  std::optional<double> guess = {};            // on the slider
  std::vector<double> curve = {};              // that was drawn: a number for each point; empty: none was
  std::size_t point = 0;                       // of it, that keys move
  std::optional<Spot> cell = {};               // that was clicked
  std::optional<std::size_t> thrown = {};      // fault: which of the exercise's
  std::vector<std::size_t> suspected = {};     // and those that were guessed
  std::string own_row = {};                    // book: a row of the person's own, as it was typed
  std::size_t hints = 0;                       // that are shown
  bool shown = false;                          // the answer is, and stays as it was given
  std::shared_ptr<const Results> before = {};  // what was computed until then
  std::shared_ptr<const Results> after = {};   // a prediction's: what its answer made
  Document sound = {};                         // fault: without it
};

// What of a step is on screen while the window presents: pages of its text, then its exercises one by one.
struct LessonSlide {
  bool on = false;                           // the window presents
  std::size_t page = 0, pages = 1;           // as they were last drawn
  std::optional<std::size_t> exercise = {};  // that the page asks; none: it is one of the text
};
inline constexpr std::size_t kLastPage = static_cast<std::size_t>(-1);

struct LessonView {
  std::shared_ptr<const Lesson> lesson = {};  // null: none is played
  std::size_t step = 0;
  bool on_own = false;              // it is looked at on the person's own document
  bool comparing = false;           // a fault of the step beside the layer without it
  int fresh = 0;                    // frames for which its text begins at the top: it has just been entered
  std::optional<Spot> pinned = {};  // by the step itself
  std::string plays_on = {};        // what the document of the step was made from
  std::vector<std::shared_ptr<const Lesson>> course = {};
  std::string unfolded = {};                            // the lesson of the course whose steps are listed
  bool course_folded = false;                           // by the person
  std::pair<const Lesson*, std::size_t> in_strip = {};  // the step that the folded course was scrolled to
  std::map<ExercisePlace, LessonAnswer> answers = {};
  std::vector<std::size_t> again = {};  // exercises whose answers are to be shown, as they were before
  LessonRecord record = {};
  std::size_t thrown = 0;                // faults so far
  std::optional<std::size_t> last = {};  // which of its exercise's the last one was
  LessonSlide slide = {};

  const LessonStep& now() const { return lesson->steps[step]; }
  // Whether something is to be done that the controls set: a goal that is reached so, or the own layer.
  bool needs_controls() const;
  LessonAnswer& answer(std::size_t exercise) { return answers[{step, exercise}]; }
  // Whether the exercise is on screen: while the window presents, one at most.
  bool asks(std::size_t exercise) const { return !slide.on || slide.exercise == exercise; }
};

std::size_t steps_seen(const Lesson& lesson, const LessonRecord& record);

// The exercise that keys answer: the first on screen whose answer is not shown, that is no goal and no book;
// none: there is no such one.
std::optional<std::size_t> present_exercise(const LessonView& view);
// Whether something is given that can be shown: a choice, a number, a curve, a cell.
bool is_answered(const LessonExercise& exercise, const LessonAnswer& answer);

// What is kept of an answer, and an answer made of that: as far as the exercise can have it.
LessonReply reply_of(const LessonAnswer& answer);
LessonAnswer answer_of(const LessonExercise& exercise, const LessonReply& reply);

// A curve that nobody has drawn yet: what it is now, where the answer will make another of it, else the
// middle of the range. Empty where it cannot be computed.
std::vector<double> first_curve(const LessonExercise& exercise, const LiveNumbers& asked);
// The curve that is drawn, begun with that one.
std::vector<double>& begin_curve(const LessonExercise& exercise, LessonAnswer& answer,
                                 const LiveNumbers& asked);
// A guess at the fault that was thrown: the answer is shown when it is right, or the last.
inline constexpr std::size_t kMostSuspected = 2;
void suspect(LessonAnswer& answer, std::size_t fault);

// What the texts and conditions of an answer read: of a prediction what its answer made, whatever came later.
LiveNumbers live_numbers(const Results* now, const LessonAnswer& answer);
// What a question reads, its choices and hints: the state that it was asked in.
LiveNumbers asked_numbers(const Results* now, const LessonAnswer& answer);
// Whether the answer that is shown is right, or near enough. None: what is computed is not there yet, or
// cannot tell.
std::optional<bool> verdict(const LessonExercise& exercise, const LessonAnswer& answer, const Results* now,
                            const Document& document);

// What of the view the step lights and marks.
void light_step(View& view);

}  // namespace attn
