// The texts of a lesson one by one: where there is another, it is read as the file's would be.
#include "core/lesson/change_words.h"

#include "core/lesson/lesson_text.h"
#include "core/lesson/write_lesson.h"

namespace attn {
namespace {

using Other = std::function<std::string(const std::string&)>;

void change(std::string& words, const Other& other) {
  if (!words.empty()) words = other(words);
}

// Paragraphs of one text have a "\n" between them, and each is a text of its own.
void change(LessonText& text, std::size_t line, const Other& other) {
  LessonText changed, part;
  const auto end_part = [&] {
    const std::string words = written(part);
    if (!words.empty())
      for (LessonWord& word : read_text(other(words), line)) changed.push_back(std::move(word));
    part.clear();
  };
  for (LessonWord& word : text)
    if (word.number.empty() && word.words == "\n")
      end_part(), changed.push_back(std::move(word));
    else
      part.push_back(std::move(word));
  end_part();
  text = std::move(changed);
}

void change(LessonExercise& exercise, const Other& other) {
  change(exercise.question, exercise.line, other);
  for (LessonChoice& choice : exercise.choices) {
    change(choice.text, exercise.line, other);
    change(choice.says, exercise.line, other);
  }
  for (LessonText& hint : exercise.hints) change(hint, exercise.line, other);
  change(exercise.says, exercise.line, other);
}

}  // namespace

void change_words(Lesson& lesson, const Other& other) {
  change(lesson.title, other);
  change(lesson.goal, other);
  change(lesson.chapter, other);
  for (LessonStep& step : lesson.steps) {
    change(step.title, other);
    for (LessonParagraph& paragraph : step.text) change(paragraph.text, step.line, other);
    for (LessonExercise& exercise : step.exercises) change(exercise, other);
  }
}

}  // namespace attn
