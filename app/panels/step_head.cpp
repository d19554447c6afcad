// The present step's title and sentence over the canvas, where the inspector that says them is folded.
#include <algorithm>
#include <utility>

#include "app/frame/workspace.h"
#include "app/inspector/step_facts.h"
#include "app/lesson/lesson_words.h"
#include "app/panels/panels.h"
#include "app/theme/toolkit.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

constexpr float kMargin = 16, kAbove = 6, kBetween = 3;  // points
constexpr int kMostLines = 2;                            // of the sentence

// As much of it as has room.
std::string first_lines(const std::string& text, const ImFont* font, float width) {
  std::string lines = wrapped(font, text, width);
  std::size_t end = 0;
  for (int i = 0; i < kMostLines && end != std::string::npos; ++i)
    end = lines.find('\n', i == 0 ? 0 : end + 1);
  return end == std::string::npos ? lines : lines.substr(0, end) + "…";
}

std::string plain(const std::vector<inspector::ColouredText>& pieces) {
  std::string text;
  for (const inspector::ColouredText& piece : pieces) text += piece.text;
  return text;
}

// What is said: of the step of a lesson, else of the present stage's. None: there is no step.
struct StepHead {
  std::string title, count, says;
  ImU32 ink;
};
std::optional<StepHead> head_of(Frame& frame) {
  const auto count = [](std::size_t place, std::size_t all) {
    return "step " + std::to_string(place + 1) + " of " + std::to_string(all);
  };
  if (const auto& lesson = std::as_const(frame.view).of<LessonView>(); lesson.lesson)
    return StepHead{lesson.now().title, count(lesson.step, lesson.lesson->steps.size()),
                    first_words(lesson.now(), frame.results), frame.theme.text};
  const StepChip* step = frame.step();
  const auto look = step && step->words ? inspector::look_at_step(frame, *step) : std::nullopt;
  if (!look) return std::nullopt;
  return StepHead{step->words->title,
                  count(static_cast<std::size_t>(step - frame.steps.data()), frame.steps.size()),
                  plain(inspector::filled(step->words->what, look->facts)),
                  role_colour(frame.theme, frame.results->graph.stages[look->stage].role)};
}

}  // namespace

float draw_step_head(Frame& frame, Rect canvas) {
  const bool needed = frame.view.inspector.folded && frame.results;
  const auto head = needed ? head_of(frame) : std::nullopt;
  if (!head) return 0;
  const Theme& theme = frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float left = canvas.min.x + theme.px(kMargin), right = canvas.max.x - theme.px(kMargin);
  float y = canvas.min.y + theme.px(kAbove);
  const float counted = text_width(theme.fonts.body, head->count);
  const ImFont *title = theme.fonts.title, *lead = theme.fonts.lead;
  draw_text(list, title, {left, y}, head->ink,
            elided(title, head->title, right - left - counted - theme.px(kWordGap)));
  draw_text(list, theme.fonts.body, {right - counted, y + font_ascent(title) - font_ascent(theme.fonts.body)},
            theme.dim, head->count);
  y += font_size(title) + theme.px(kBetween);
  const std::string says = first_lines(head->says, lead, right - left);
  draw_text(list, lead, {left, y}, theme.text, says);
  const auto lines = static_cast<float>(1 + std::ranges::count(says, '\n'));
  return y + lines * font_size(lead) + theme.px(kBetween) - canvas.min.y;
}

}  // namespace attn
