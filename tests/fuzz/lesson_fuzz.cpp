// Lessons: what was parsed has a title, a goal and steps that say something.
#include "core/lesson/lesson.h"

#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace attn;
  return tests::refused_or_parsed(data, size, [](Bytes bytes) {
    const Lesson lesson = parse_lesson("x", as_text(bytes));
    tests::require(!lesson.title.empty() && !lesson.goal.empty() && !lesson.steps.empty());
    for (const LessonStep& step : lesson.steps) tests::require(!step.text.empty() || !step.exercises.empty());
  });
}
