// What was said to the exercises of a lesson: kept, and there again for whoever comes back.
#include <utility>

#include "app/program/application.h"
#include "app/program/lesson_state.h"
#include "core/system/error.h"

namespace attn {

// Those of the step that has been entered, unless it was before since the lesson was opened.
void Application::recall_replies() {
  LessonView& played = lesson();
  played.again.clear();
  const auto& kept = std::as_const(played.record.lessons[played.lesson->name].replies);
  const std::vector<LessonExercise>& all = played.now().exercises;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto reply = kept.find({played.step, i});
    if (reply == kept.end() || !played.answers.try_emplace({played.step, i}).second) continue;
    played.answer(i) = answer_of(all[i], reply->second);
    if (reply->second.shown) played.again.push_back(i);
  }
}

// Its answer is shown as it was, and does what it did.
void Application::show_reply(std::size_t index) {
  const LessonExercise& exercise = lesson().now().exercises[index];
  LessonAnswer& answer = lesson().answer(index);
  if (exercise.kind != LessonExercise::fault) return show_lesson_answer(index);
  if (!answer.thrown) return;
  try {
    const Document sound = document();
    change(with_fault(sound, exercise.faults[*answer.thrown]));
    answer.sound = sound;
    answer.shown = true;
  } catch (const Error&) {  // the layer has nothing for it any more: it can be thrown anew
    answer = {};
  }
}

// In every frame: shows one of those that were shown before as soon as its numbers are there, and keeps what
// is said now.
void Application::follow_replies() {
  if (!lesson_ || !works_.guest_in_front() || lesson().comparing) return;
  const auto& results = shown_.engine().results;
  if (auto& again = lesson().again; !again.empty() && results && results->document == document()) {
    const std::size_t next = again.front();
    again.erase(again.begin());
    show_reply(next);
  }
  LessonView& played = lesson();  // behind what may put it elsewhere
  auto& kept = played.record.lessons[played.lesson->name].replies;
  for (const auto& [place, answer] : played.answers) {
    if (place.first != played.step) continue;
    const LessonReply reply = reply_of(answer);
    const auto known = kept.find(place);
    if (known == kept.end() ? reply != LessonReply() : !known->second.shown) kept[place] = reply;
  }
}

}  // namespace attn
