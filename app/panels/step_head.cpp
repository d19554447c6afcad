// The present step's title and sentence over the canvas, where the inspector that says them is folded.
#include <algorithm>

#include "app/frame/workspace.h"
#include "app/inspector/step_facts.h"
#include "app/panels/panels.h"
#include "app/theme/toolkit.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

constexpr float kMargin = 16, kAbove = 6, kBetween = 3;  // points
constexpr int kMostLines = 2;                            // of the sentence

// The first sentence, as much of it as has room.
std::string sentence_of(const std::vector<inspector::ColouredText>& pieces, const ImFont* font, float width) {
  std::string text;
  for (const inspector::ColouredText& piece : pieces) text += piece.text;
  std::string lines = wrapped(font, text, width);
  std::size_t end = 0;
  for (int i = 0; i < kMostLines && end != std::string::npos; ++i)
    end = lines.find('\n', i == 0 ? 0 : end + 1);
  return end == std::string::npos ? lines : lines.substr(0, end) + "…";
}

}  // namespace

float draw_step_head(Frame& frame, Rect canvas) {
  const StepChip* step = frame.view.inspector.folded && frame.results ? frame.step() : nullptr;
  const auto look = step && step->words ? inspector::look_at_step(frame, *step) : std::nullopt;
  if (!look) return 0;
  const Theme& theme = frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float left = canvas.min.x + theme.px(kMargin), right = canvas.max.x - theme.px(kMargin);
  float y = canvas.min.y + theme.px(kAbove);
  const std::string count =
      "step " + std::to_string(step - frame.steps.data() + 1) + " of " + std::to_string(frame.steps.size());
  const float counted = text_width(theme.fonts.body, count);
  const ImFont *title = theme.fonts.title, *lead = theme.fonts.lead;
  draw_text(list, title, {left, y}, role_colour(theme, frame.results->graph.stages[look->stage].role),
            elided(title, step->words->title, right - left - counted - theme.px(kWordGap)));
  draw_text(list, theme.fonts.body, {right - counted, y + font_ascent(title) - font_ascent(theme.fonts.body)},
            theme.dim, count);
  y += font_size(title) + theme.px(kBetween);
  const std::string says = sentence_of(inspector::filled(step->words->what, look->facts), lead, right - left);
  draw_text(list, lead, {left, y}, theme.text, says);
  const auto lines = static_cast<float>(1 + std::ranges::count(says, '\n'));
  return y + lines * font_size(lead) + theme.px(kBetween) - canvas.min.y;
}

}  // namespace attn
