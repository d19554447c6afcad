// The stage bar: transport, chips of the steps, status line.
#include <algorithm>

#include "app/canvas/steps.h"
#include "app/frame/workspace.h"
#include "app/panels/panels.h"
#include "app/panels/stage_bar_status.h"
#include "app/widgets/chips.h"
#include "app/widgets/focus.h"

namespace attn {
namespace {

constexpr float kRow = 44, kButton = 28;

enum class Sign { back, forward, play, pause };

void draw_sign(const Theme& theme, Sign sign, ImVec2 c, ImU32 ink) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float r = theme.px(6), bar = theme.px(2);
  switch (sign) {
    case Sign::back:  // to a bar: one stage and no farther
      list.AddTriangleFilled({c.x + r * 0.8f, c.y - r}, {c.x + r * 0.8f, c.y + r}, {c.x - r * 0.5f, c.y},
                             ink);
      list.AddRectFilled({c.x - r * 0.5f - bar, c.y - r}, {c.x - r * 0.5f, c.y + r}, ink);
      break;
    case Sign::forward:
      list.AddTriangleFilled({c.x - r * 0.8f, c.y - r}, {c.x + r * 0.5f, c.y}, {c.x - r * 0.8f, c.y + r},
                             ink);
      list.AddRectFilled({c.x + r * 0.5f, c.y - r}, {c.x + r * 0.5f + bar, c.y + r}, ink);
      break;
    case Sign::play:
      list.AddTriangleFilled({c.x - r * 0.7f, c.y - r}, {c.x + r, c.y}, {c.x - r * 0.7f, c.y + r}, ink);
      break;
    case Sign::pause:
      list.AddRectFilled({c.x - r * 0.8f, c.y - r}, {c.x - r * 0.2f, c.y + r}, ink);
      list.AddRectFilled({c.x + r * 0.2f, c.y - r}, {c.x + r * 0.8f, c.y + r}, ink);
      break;
  }
}

bool transport(const Theme& theme, const char* id, Sign sign, const char* tooltip, ImVec2 at) {
  ImGui::SetCursorScreenPos(at);
  const float side = theme.px(kButton);
  bool pressed = ImGui::InvisibleButton(id, {side, side});
  pressed = pressed_by_enter() || pressed;
  const bool hovered = ImGui::IsItemHovered();
  if (wants_tooltip()) ImGui::SetTooltip("%s", tooltip);
  const ImVec2 centre{at.x + side / 2, at.y + side / 2};
  if (hovered) ImGui::GetWindowDrawList()->AddCircleFilled(centre, side / 2, theme.chip);
  draw_sign(theme, sign, centre, hovered ? theme.accent : theme.text);
  draw_focus_ring(theme, side / 2);
  return pressed;
}

// Back, forward, play. Returns where they end.
float draw_transport(Frame& frame, ImVec2 at) {
  const Theme& theme = frame.theme;
  View& view = frame.view;
  const float pitch = theme.px(kButton + 4);
  if (transport(theme, "back", Sign::back, "one stage back (←)", at)) step_by(view, frame.steps, -1);
  if (transport(theme, "forward", Sign::forward, "one stage forward (→)", {at.x + pitch, at.y}))
    step_by(view, frame.steps, 1);
  const bool playing = frame.canvas().playing;
  if (transport(theme, "play", playing ? Sign::pause : Sign::play,
                playing ? "pause (Space)" : (std::string(frame.workspace.plays) + " (Space)").c_str(),
                {at.x + 2 * pitch, at.y}))
    toggle_play(view, frame.steps);
  return at.x + 3 * pitch;
}

std::string tooltip_of(const StepChip& step, bool current) {
  return step.says + (current ? "\nclick again: all stages at full strength" : "");
}

// Opens the softmax into its steps, and closes it.
void draw_opener(Frame& frame) {
  bool& open = frame.view.layer.open_softmax;
  if (draw_chip(
          frame.theme,
          {.id = "softmax",
           .text = open ? "steps ▾" : "steps ▸",
           .tooltip =
               open ? "close the steps: scores and weights alone"
                    : "open the steps of the weights (row maximum, exp, sum, divide) and of the scores"}))
    open = !open;
  ImGui::SameLine(0, frame.theme.px(kButtonGap));
}

// One chip after the other on one line that scrolls sideways; the current one stays in sight.
void draw_chips(Frame& frame, Rect area) {
  const Theme& theme = frame.theme;
  View& view = frame.view;
  ImGui::SetCursorScreenPos(area.min);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::BeginChild("chips", {area.width(), area.height()}, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse |
                        ImGuiWindowFlags_NoBackground | kFocusableChild);
  ImGui::PopStyleVar();
  if (ImGui::IsWindowHovered() && ImGui::GetIO().MouseWheel != 0)
    ImGui::SetScrollX(ImGui::GetScrollX() - ImGui::GetIO().MouseWheel * theme.px(60));
  ImGui::SetCursorPos({theme.px(4), (area.height() - chip_size(theme, "").y) / 2});
  const auto now = place_of(frame.steps, frame.canvas().step);
  for (std::size_t i = 0; i < frame.steps.size(); ++i) {
    const StepChip& step = frame.steps[i];
    if (step.opener) draw_opener(frame);
    const bool current = now == i;
    if (draw_chip(theme, {.id = "step " + step.id,
                          .text = step.title,
                          .tooltip = tooltip_of(step, current),
                          .filled = current,
                          .faint = now && i > *now}))
      current ? leave_steps(view) : step_to(view, frame.steps, i);
    if (current && frame.canvas().step_fade < 1) ImGui::SetScrollHereX();
    ImGui::SameLine(0, theme.px(kButtonGap));
  }
  ImGui::EndChild();
}

}  // namespace

void draw_stage_bar(Frame& frame, Rect area) {
  const Theme& theme = frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(area.min, area.max, theme.bar);
  list.AddLine(area.min, {area.max.x, area.min.y}, theme.border);
  const float row = theme.px(kRow);
  if (!frame.steps.empty()) {
    ImGui::PushID("stages");
    const float up = (row - theme.px(kButton)) / 2 + theme.px(2);
    const float left = draw_transport(frame, {area.min.x + theme.px(12), area.min.y + up});
    draw_chips(frame, {{left + theme.px(6), area.min.y + theme.px(4)},
                       {area.max.x - theme.px(8), area.min.y + row}});
    ImGui::PopID();
  }
  draw_status(frame, {{area.min.x, area.min.y + row}, area.max});
}

}  // namespace attn
