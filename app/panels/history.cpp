// The history: every step by its name, newest at the bottom; a click goes there. Steps that could be done
// again are dim.
#include "app/inspector/inspector_flow.h"
#include "app/panels/panels.h"

namespace attn {
namespace {

using namespace inspector;

void draw_step(Flow& flow, std::size_t i) {
  const Theme& theme = flow.theme();
  const History& history = flow.frame.history;
  const bool current = i == history.position(), undone = i > history.position();
  const Rect line = add_line(flow);
  if (current) {
    const float reach = flow.px(8);
    flow.list.AddRectFilled({line.min.x - reach, line.min.y}, {line.max.x + reach, line.max.y},
                            theme.accent_soft, flow.px(4));
    // A history that moved scrolls to where it is; one that stays can be scrolled by hand.
    const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowHeight();
    const bool out_of_sight = line.min.y < top || line.max.y > bottom;
    if (out_of_sight && !ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem))
      ImGui::SetScrollFromPosY(line.min.y - top, 0.5f);
  }
  const std::string& name = history.steps()[i].name;
  put_elided(flow, line, name, undone ? theme.faint : theme.text);
  const char* tooltip = undone ? "Do again up to here" : "Go back to here";
  if (press(flow, "step" + std::to_string(i), line, current ? "" : tooltip) && !current)
    flow.frame.commands.push_back("history." + std::to_string(i));
}

}  // namespace

void draw_history(Frame& frame, Rect area) {
  Flow flow = begin_flow(frame, "history", area);
  add_text(flow, "History", frame.theme.dim, frame.theme.fonts.bold);
  for (std::size_t i = 0; i < frame.history.steps().size(); ++i) draw_step(flow, i);
  end_flow(flow);
  ImGui::GetWindowDrawList()->AddLine(area.min, {area.max.x, area.min.y}, frame.theme.border);
}

}  // namespace attn
