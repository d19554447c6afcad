// Lessons as text: what a reader would make the same lesson of.
#include "core/lesson/write_lesson.h"

#include <algorithm>
#include <array>
#include <span>

#include "core/lesson/lesson_text.h"
#include "core/system/error.h"
#include "core/text/numbers.h"
#include "core/text/text.h"

namespace attn {
namespace {

std::string written(const LessonWord& word) {
  if (word.number.empty()) return word.words == "\n" ? "\n\n" : word.words;
  std::string format;
  if (word.digits) format += std::to_string(*word.digits);
  if (word.percent) format += "%";
  return "{" + word.number.text + (format.empty() ? "" : ":" + format) + "}";
}

std::string written(const LessonSet& set) {
  return set.name + " = " + set.value;
}

std::string written(const LessonParagraph& paragraph) {
  constexpr const char* kLeads[] = {"", "> ", "Try: "};
  const std::string when = paragraph.when.empty() ? "" : "[when " + paragraph.when.text + "] ";
  return when + kLeads[paragraph.kind] + written(paragraph.text);
}

std::string written(std::span<const double> numbers) {
  std::string words;
  for (const double number : numbers) words += (words.empty() ? "" : " ") + shortest(number);
  return words;
}

// Lines "key: value", of what there is.
class KeyLines {
 public:
  explicit KeyLines(std::string indent = {}) : indent_(std::move(indent)) {}
  void add(const char* key, const std::string& value) {
    if (!value.empty()) text_ += indent_ + key + ": " + value + "\n";
  }
  template <class Values>
  void add_each(const char* key, const Values& values) {
    for (const auto& value : values) add(key, written(value));
  }
  const std::string& text() const { return text_; }

 private:
  std::string indent_, text_;
};

std::string kind_of(const LessonExercise& exercise) {
  if (exercise.recalled) return "recall";
  switch (exercise.kind) {
    case LessonExercise::goal:
      return "do";
    case LessonExercise::fault:
      return "break";
    case LessonExercise::book:
      return "book";
    default:
      return "predict";
  }
}

// What belongs to an answer stands below it, so all that is the exercise's comes before the answers.
std::string written(const LessonExercise& exercise) {
  const LessonExercise usual;
  KeyLines keys;
  keys.add_each("then", exercise.then);
  keys.add(exercise.kind == LessonExercise::curve ? "curve" : "slider", exercise.value.text);
  keys.add("at", exercise.at.text);
  if (exercise.least != usual.least || exercise.most != usual.most)
    keys.add("range", written(std::array{exercise.least, exercise.most}));
  if (exercise.near != usual.near) keys.add("near", shortest(exercise.near));
  if (exercise.kind == LessonExercise::click) keys.add("click", written(exercise.cells));
  keys.add("holds", exercise.holds.text);
  keys.add_each("hint", exercise.hints);
  keys.add_each("accept", exercise.accept);
  keys.add_each("refuse", exercise.refuse);
  std::string faults;
  for (const std::string& fault : exercise.faults) faults += (faults.empty() ? "" : ", ") + fault;
  keys.add("faults", faults);
  for (const PrintedRow& row : exercise.printed)
    keys.add("prints", written(row.of) + " = " + written(row.numbers));
  keys.add("says", written(exercise.says));
  std::string answers;
  for (const LessonChoice& choice : exercise.choices) {
    KeyLines of("  ");
    of.add("holds", choice.holds.text);
    of.add("says", written(choice.says));
    answers += "- " + written(choice.text) + "\n" + of.text();
  }
  return "### " + kind_of(exercise) + "\n" + written(exercise.question) + "\n" + keys.text() + answers;
}

std::string written(const LessonStep& step) {
  std::string text = "## " + step.title + "\n" + written_keys(step);
  for (const LessonParagraph& paragraph : step.text) text += "\n" + written(paragraph) + "\n";
  for (const LessonExercise& exercise : step.exercises) text += "\n" + written(exercise);
  return text;
}

}  // namespace

std::string written(const LessonText& text) {
  std::string words;
  for (const LessonWord& word : text) words += written(word);
  return words;
}

std::string written(const LessonCells& cells) {
  const std::array places{cells.head, cells.row, cells.column};
  std::size_t said = places.size();
  while (said > 0 && !places[said - 1]) --said;
  std::string text;
  for (std::size_t i = 0; i < said; ++i)
    text += (i == 0 ? "" : ",") + (places[i] ? std::to_string(*places[i]) : std::string(":"));
  return cells.stage + (said == 0 ? "" : "[" + text + "]");
}

std::string written_keys(const LessonStep& step) {
  KeyLines keys;
  keys.add("open", step.open);
  keys.add_each("set", step.sets);
  keys.add("look", step.look);
  std::string lit;
  for (const LessonCells& cells : step.lit) lit += (lit.empty() ? "" : ", ") + written(cells);
  keys.add("lit", lit);
  for (const LessonMark& mark : step.marks)
    keys.add("mark", std::to_string(mark.number) + " " + written(mark.at));
  return keys.text();
}

std::string write_lesson(const Lesson& lesson) {
  KeyLines keys;
  keys.add("goal", lesson.goal);
  keys.add("chapter", lesson.chapter);
  std::string text = "# " + lesson.title + "\n" + keys.text();
  for (const LessonStep& step : lesson.steps) text += "\n" + written(step);
  return text;
}

LessonStep read_step_words(const std::string& title, const std::string& words) {
  const std::string head = "# Words\ngoal: To be read.\n\n## " + title + "\nopen: nothing\n" +
                           (words.starts_with("mark: ") ? "" : "\n");
  const auto lines = static_cast<std::size_t>(std::ranges::count(head, '\n'));
  try {
    Lesson lesson = parse_lesson({}, head + words);
    if (lesson.steps.size() > 1)
      refuse_line(lesson.steps[1].line,
                  "“## ” begins another step; a step’s words are its text and exercises");
    LessonStep step = std::move(lesson.steps.front());
    step.open.clear();
    return step;
  } catch (const Error& error) {
    // "line 8: …" is line 2 of the words; what is said of the title is of none of them.
    const std::string said = error.what(), lead = "line ";
    const std::size_t colon = said.find(':');
    if (!said.starts_with(lead) || colon == said.npos) throw;
    const auto line = parse_number<std::size_t>(said.substr(lead.size(), colon - lead.size()));
    if (!line) throw;
    throw Error(*line > lines ? lead + std::to_string(*line - lines) + said.substr(colon)
                              : said.substr(colon + 2));
  }
}

}  // namespace attn
