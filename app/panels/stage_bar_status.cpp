// The status line: the formula, the step, the keys; or a message.
#include "app/panels/stage_bar_status.h"

#include <GLFW/glfw3.h>

#include <algorithm>

#include "app/canvas/steps.h"
#include "app/frame/workspace.h"
#include "app/theme/toolkit.h"
#include "app/widgets/formula.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

// "step 4 of 12".
std::string count(const Frame& frame) {
  const std::string all = std::to_string(frame.steps.size());
  const auto place = place_of(frame.steps, frame.canvas().step);
  return place ? "step " + std::to_string(*place + 1) + " of " + all : all + " steps";
}

// Which keys work here: a selected cell has some of them.
std::string keys(const Frame& frame) {
  const bool cell = frame.view.grid.has_keys;
  const Workspace& workspace = frame.workspace;
  const bool steps = !frame.steps.empty();
  std::string text = cell    ? "0–9 . − + type a number   Enter edit   arrows move   Esc deselect   "
                     : steps ? "← → step   "
                             : "";
  if (steps || workspace.play)
    text += "Space " +
            (frame.canvas().playing ? "pause"
             : workspace.play       ? std::string(workspace.plays)
                                    : "play") +
            "   ";
  if (!workspace.keys.empty() && !cell) text += std::string(workspace.keys) + "   ";
  const std::size_t heads = std::min<std::size_t>(9, heads_of(frame.graph));
  const bool has_keys =
      std::ranges::any_of(frame.table, [](const Command& c) { return c.shortcut.key == GLFW_KEY_1; });
  if (heads > 1 && has_keys && !cell) text += "1–" + std::to_string(heads) + " heads   ";
  return text + "F1 manual   Ctrl+Z undo   Ctrl+Shift+P commands";
}

// Words one after the other as long as they fit.
class StatusText {
 public:
  StatusText(const Theme& theme, ImVec2 at, float right) : theme_(theme), at_(at), right_(right) {}
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

void draw_status(Frame& frame, Rect area) {
  const Theme& theme = frame.theme;
  const View& view = frame.view;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float y = area.min.y + (area.height() - font_size(theme.fonts.body)) / 2 - theme.px(3);
  StatusText line(theme, {area.min.x + theme.px(16), y}, area.max.x - theme.px(12));
  if (!view.message.empty()) line.add(view.message, view.message_is_error ? theme.bad : theme.text);
  if (!view.at_risk.empty())
    line.add("the unsaved work cannot be kept for the next start: " + view.at_risk + " – Ctrl+S saves it",
             theme.bad);
  if (!view.message.empty()) return;
  if (!view.at_risk.empty()) line.add("·", theme.faint);
  const auto place = place_of(frame.steps, frame.canvas().step);
  const StepChip* step = place ? &frame.steps[*place] : nullptr;
  if (step || line.x() < area.max.x - theme.px(320)) {
    list.PushClipRect(area.min, area.max, true);
    for (const Part& part : frame.graph.parts)
      line.skip(draw_formula(list, theme, {line.x(), y}, part.formula,
                             step ? step->stages : std::vector<StageIndex>()) +
                theme.px(6));
    list.PopClipRect();
  }
  if (!frame.steps.empty()) {
    line.add("·", theme.faint);
    line.add(count(frame), theme.dim);
  }
  if (step) {
    line.add("·", theme.faint);
    line.add(step->title + ": " + step->says, theme.text);
  }
  line.add("·", theme.faint);
  line.add(keys(frame), theme.dim);
}

}  // namespace attn
