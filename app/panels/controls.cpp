// The controls: the panel around what the workspace puts into it.
#include "app/fields/fields.h"
#include "app/frame/workspace.h"
#include "app/panels/panels.h"
#include "app/panels/side_panels.h"
#include "app/widgets/focus.h"

namespace attn {

namespace {

void draw_rows(Frame& frame, Rect area, ImGuiWindowFlags flags) {
  const Theme& theme = frame.theme;
  ImGui::SetCursorScreenPos(area.min);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarSize, theme.px(8));
  ImGui::BeginChild("controls", {area.width(), area.height()}, false, ImGuiWindowFlags_NoBackground | flags);
  ImGui::PopStyleVar(2);
  const float margin = theme.px(area.width() < theme.px(200) ? 8 : 14);
  const Column column{area.min.x + margin, area.max.x - margin};
  ImGui::SetCursorScreenPos({column.left, ImGui::GetCursorScreenPos().y + theme.px(8)});
  frame.view.controls.parts.clear();
  draw_examples(frame, column);
  if (frame.workspace.controls) frame.workspace.controls(frame, column);
  end_sections(frame.view);
  ImGui::Dummy({1, theme.px(8)});
  follow_parts(theme, frame.view.controls);
  ImGui::EndChild();
}

}  // namespace

void draw_controls(Frame& frame, Rect area) {
  ImGui::GetWindowDrawList()->AddRectFilled(area.min, area.max, frame.theme.panel);
  draw_rows(frame, area, kFocusableChild);
}

void list_controls(Frame& frame) {
  const float width = frame.theme.px(kLeastPanel);
  begin_no_tab_stops();
  draw_rows(frame, {{-2 * width, 0}, {-width, width}}, ImGuiWindowFlags_NoNav);
  end_no_tab_stops();
}

}  // namespace attn
