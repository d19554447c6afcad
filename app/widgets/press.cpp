// Pressed by a click, by Space or by Enter.
#include "app/widgets/press.h"

#include <algorithm>

#include "app/widgets/focus.h"
#include "app/widgets/tooltip.h"

namespace attn {

bool press_area(const Theme& theme, const char* id, Rect area, const std::string& tooltip) {
  ImGui::SetCursorScreenPos(area.min);
  const bool clicked =
      ImGui::InvisibleButton(id, {std::max(1.0f, area.width()), std::max(1.0f, area.height())});
  const bool pressed = clicked || pressed_by_enter();
  draw_focus_ring(theme, theme.px(3));
  if (ImGui::IsItemHovered()) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (!tooltip.empty()) show_tooltip(tooltip);
  }
  return pressed;
}

}  // namespace attn
