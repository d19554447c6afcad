// The stage bar: transport, chips of the steps, status line.
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/canvas/steps.h"
#include "app/frame/lit.h"
#include "app/frame/workspace.h"
#include "app/panels/panels.h"
#include "app/panels/side_panels.h"
#include "app/panels/stage_bar_status.h"
#include "app/theme/toolkit.h"
#include "app/widgets/chips.h"
#include "app/widgets/focus.h"
#include "app/widgets/press.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

constexpr float kRow = 44, kButton = 28, kTurner = 22;  // points
constexpr float kTurn = 0.6f;                           // of the row, at a press of ‹ or ›
constexpr float kRounding = 0.5f;                       // pixels

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
  if (wants_tooltip()) show_tooltip(tooltip);
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
  const std::string back = "one stage back" + key_of(frame, "stage.previous");
  const std::string forward = "one stage forward" + key_of(frame, "stage.next");
  if (transport(theme, "back", Sign::back, back.c_str(), at)) step_by(view, frame.steps, -1);
  if (transport(theme, "forward", Sign::forward, forward.c_str(), {at.x + pitch, at.y}))
    step_by(view, frame.steps, 1);
  const bool playing = frame.canvas().playing;
  if (transport(theme, "play", playing ? Sign::pause : Sign::play,
                playing ? "pause (Space)" : (std::string(frame.workspace.plays) + " (Space)").c_str(),
                {at.x + 2 * pitch, at.y}))
    toggle_play(view, frame.draft, frame.steps);
  return at.x + 3 * pitch;
}

// What was pressed has been dragged since: it is no click.
bool was_dragged() {
  const ImGuiIO& io = ImGui::GetIO();
  return io.MouseReleased[0] && io.MouseDragMaxDistanceSqr[0] > io.MouseDragThreshold * io.MouseDragThreshold;
}

std::string tooltip_of(const StepChip& step, bool current) {
  return step.says + (current ? "\nclick again: all stages at full strength" : "");
}

// A chip of the row, in pixels from its first one's left edge: of a step, or what opens and closes the steps
// of the softmax.
struct RowChip {
  std::size_t step;
  bool opener;
  std::string text;
  float left, right;
};

std::vector<RowChip> row_of(const Frame& frame, float room) {
  const Theme& theme = frame.theme;
  std::vector<RowChip> row;
  const auto add = [&](std::size_t step, bool opener, const std::string& text) {
    const float left = row.empty() ? 0 : row.back().right + theme.px(kButtonGap);
    const std::string shown = elided(theme.fonts.body, text, room - chip_size(theme, "").x);
    row.push_back({step, opener, shown, left, left + chip_size(theme, shown).x});
  };
  for (std::size_t i = 0; i < frame.steps.size(); ++i) {
    if (frame.steps[i].opener) add(i, true, frame.view.layer.open_softmax ? "steps ▾" : "steps ▸");
    add(i, false, frame.steps[i].title);
  }
  return row;
}

// How far the row is scrolled: the present step is in the middle as far as there are chips on both sides, and
// from there as far as the person has scrolled.
float scroll_of(Frame& frame, const std::vector<RowChip>& row, float room) {
  const float most = std::max(0.0f, row.back().right - room);
  const auto now = place_of(frame.steps, frame.canvas().step);
  float middle = 0;
  for (const RowChip& chip : row)
    if (now == chip.step && !chip.opener) middle = (chip.left + chip.right - room) / 2;
  middle = std::clamp(middle, 0.0f, most);
  float& scrolled = frame.canvas().chips;
  scrolled = std::clamp(scrolled, -middle, most - middle);
  return middle + scrolled;
}

// A lesson speaks of its stages.
bool is_lit(const Frame& frame, const StepChip& step) {
  const Lit& lit = std::as_const(frame.view).of<Lit>();
  return std::ranges::any_of(step.stages,
                             [&](StageIndex i) { return lights(lit, frame.graph.stages[i].id); });
}

void draw_row_chip(Frame& frame, const RowChip& chip) {
  const StepChip& step = frame.steps[chip.step];
  const auto now = place_of(frame.steps, frame.canvas().step);
  const bool current = now == chip.step;
  bool& open = frame.view.layer.open_softmax;
  const Chip opener{
      .id = "softmax",
      .text = chip.text,
      .tooltip = open ? "close the steps: scores and weights alone"
                      : "open the steps of the weights (row maximum, exp, sum, divide) and of the scores"};
  const Chip drawn{.id = "step " + step.id,
                   .text = chip.text,
                   .tooltip = tooltip_of(step, current),
                   .on = is_lit(frame, step),
                   .filled = current || (!now && step.shown),
                   .faint = now && chip.step > *now};
  if (!draw_chip(frame.theme, chip.opener ? opener : drawn) || was_dragged()) return;
  if (chip.opener)
    open = !open;
  else
    current ? leave_steps(frame.view) : step_to(frame.view, frame.steps, chip.step);
}

// Where there are more chips than are seen: scrolls to them.
void draw_turner(Frame& frame, const char* sign, const char* tooltip, float x, Rect area, float by) {
  const Theme& theme = frame.theme;
  const Rect box{{x, area.min.y}, {x + theme.px(kTurner), area.max.y}};
  if (press_area(theme, sign, box, tooltip)) frame.canvas().chips += by;
  const ImFont* font = theme.fonts.lead;
  draw_text(*ImGui::GetWindowDrawList(), font,
            {(box.min.x + box.max.x - text_width(font, sign)) / 2,
             (box.min.y + box.max.y - font_size(font)) / 2 - theme.px(1)},
            theme.text, sign);
}

// Wheel and drag.
void scroll_by_mouse(Frame& frame, Rect area) {
  if (!ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem)) return;
  const ImGuiIO& io = ImGui::GetIO();
  frame.canvas().chips -= io.MouseWheel * frame.theme.px(60);
  if (ImGui::IsMouseDragging(0) && area.contains(io.MouseClickedPos[0]))
    frame.canvas().chips -= io.MouseDelta.x;
}

// One chip after the other on one line that scrolls sideways by whole chips.
void draw_chips(Frame& frame, Rect area) {
  const Theme& theme = frame.theme;
  ImGui::SetCursorScreenPos(area.min);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::BeginChild("chips", {area.width(), area.height()}, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse |
                        ImGuiWindowFlags_NoBackground | kFocusableChild);
  ImGui::PopStyleVar();
  scroll_by_mouse(frame, area);
  float left = area.min.x + theme.px(4), room = area.max.x - left - theme.px(4);
  std::vector<RowChip> row = row_of(frame, room);
  if (row.back().right > room) {
    left += theme.px(kTurner), room -= theme.px(2 * kTurner);
    row = row_of(frame, room);
  }
  const float scroll = scroll_of(frame, row, room);
  const auto seen = [&](const RowChip& chip) {
    return chip.left - scroll >= -kRounding && chip.right - scroll <= room + kRounding;
  };
  const auto first = std::ranges::find_if(row, seen), end = std::find_if_not(first, row.end(), seen);
  const float y = area.min.y + (area.height() - chip_size(theme, "").y) / 2, by = room * kTurn;
  if (first != row.begin() && first != row.end())
    draw_turner(frame, "‹", "steps before these", left + first->left - scroll - theme.px(kTurner), area, -by);
  for (auto chip = first; chip != end; ++chip) {
    ImGui::SetCursorScreenPos({std::round(left + chip->left - scroll), y});
    draw_row_chip(frame, *chip);
  }
  if (end != row.end() && end != first)
    draw_turner(frame, "›", "steps behind these", left + (end - 1)->right - scroll, area, by);
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
