// The controls: the panel around what the workspace puts into it.
#include "app/fields/fields.h"
#include "app/frame/workspace.h"
#include "app/panels/panels.h"
#include "app/widgets/focus.h"

namespace attn {

void draw_controls(Frame& frame, Rect area) {
  const Theme& theme = frame.theme;
  ImGui::GetWindowDrawList()->AddRectFilled(area.min, area.max, theme.panel);
  ImGui::SetCursorScreenPos(area.min);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarSize, theme.px(8));
  ImGui::BeginChild("controls", {area.width(), area.height()}, false,
                    ImGuiWindowFlags_NoBackground | kFocusableChild);
  ImGui::PopStyleVar(2);
  const float margin = theme.px(area.width() < theme.px(200) ? 8 : 14);
  const Column column{area.min.x + margin, area.max.x - margin};
  ImGui::SetCursorScreenPos({column.left, ImGui::GetCursorScreenPos().y + theme.px(8)});
  draw_examples(frame, column);
  if (frame.workspace.controls) frame.workspace.controls(frame, column);
  end_sections(frame.view);
  ImGui::Dummy({1, theme.px(8)});
  ImGui::EndChild();
}

}  // namespace attn
