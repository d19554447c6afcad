#include "app/panels/stage_bar_status.h"

#include <algorithm>

#include "app/widgets/formula.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

// "step 4 of 12", counted over the steps that are there.
std::string count(const View& view, const std::vector<Step>& steps) {
  std::size_t all = 0, now = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!steps[i].present) continue;
    ++all;
    if (view.step && i <= *view.step) ++now;
  }
  if (!view.step) return std::to_string(all) + " steps";
  return "step " + std::to_string(now) + " of " + std::to_string(all);
}

std::string keys(const Frame& frame) {
  std::string text = "← → step   Space ";
  text += frame.view.playing ? "pause" : "play";
  if (head_count(frame.draft.layer) > 1) text += "   1–9 heads";
  return text + "   F12 picture   Ctrl+Z undo   Ctrl+Shift+P commands";
}

// Words one after the other as long as they fit.
class Line {
 public:
  Line(const Theme& theme, ImVec2 at, float right) : theme_(theme), at_(at), right_(right) {}
  float x() const { return at_.x; }
  void skip(float width) { at_.x += width; }
  void add(const std::string& text, ImU32 colour) {
    const float room = right_ - at_.x;
    if (room < theme_.px(30)) return;
    const std::string shown = elided(theme_.fonts.body, text, room);
    draw_text(*ImGui::GetWindowDrawList(), theme_.fonts.body, at_, colour, shown);
    at_.x += text_width(theme_.fonts.body, shown) + theme_.px(8);
  }

 private:
  const Theme& theme_;
  ImVec2 at_;
  float right_;
};

}  // namespace

void draw_status(Frame& frame, const Graph& graph, const std::vector<Step>& steps, Rect area) {
  const Theme& theme = frame.theme;
  const View& view = frame.view;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float y = area.min.y + (area.height() - theme.fonts.body->FontSize) / 2 - theme.px(3);
  Line line(theme, {area.min.x + theme.px(16), y}, area.max.x - theme.px(12));
  if (!view.message.empty()) return line.add(view.message, view.message_is_error ? theme.bad : theme.text);
  const Step* step = view.step && *view.step < steps.size() ? &steps[*view.step] : nullptr;
  if (step || line.x() < area.max.x - theme.px(320)) {
    list.PushClipRect(area.min, area.max, true);
    line.skip(draw_formula(list, theme, {line.x(), y}, layer_formula(graph),
                           step ? step->stages : std::vector<std::string>()) +
              theme.px(6));
    list.PopClipRect();
  }
  line.add("·", theme.faint);
  line.add(count(view, steps), theme.dim);
  if (step) {
    line.add("·", theme.faint);
    line.add(step->title + ": " + step->says, theme.text);
  }
  line.add("·", theme.faint);
  line.add(keys(frame), theme.dim);
}

}  // namespace attn
