// Moves of the focus that the toolkit is about to make: those by arrow keys are cancelled before it acts on
// them, those by Tab go from where the focus is.
#include "app/widgets/focus.h"

#include <imgui_internal.h>

#include <utility>

namespace attn {
namespace {

constexpr float kTooltipDelay = 0.4f;  // seconds

// Dear ImGui keeps a text field's undo steps for when it is typed in again. The program may have replaced its
// text since, and undoing then writes outside of it.
void forget_left_text(ImGuiContext& g) {
  if (g.ActiveId != g.InputTextState.ID) g.InputTextState.ID = 0;
}

}  // namespace

void begin_focus() {
  ImGuiContext& g = *GImGui;
  forget_left_text(g);
  keep_tab_alive();
  if (!g.OpenPopupStack.empty()) return;  // menus and lists: the arrows are theirs
  if (!g.NavMoveSubmitted) return;
  if (!moves_by_tab()) {
    ImGui::NavMoveRequestCancel();
    // Where nothing has the focus an arrow asks for the first item, and for its ring.
    if (std::exchange(g.NavInitRequestFromMove, false)) g.NavInitRequest = false, show_focus(false);
    return;
  }
  g.NavLayer = ImGuiNavLayer_Main;  // out of the menu bar
  // 0 means "the first item" there, or the focused one again.
  if (g.NavTabbingDir >= 0) g.NavTabbingDir = g.NavId != 0 ? 1 : 0;
  show_focus();
}

bool take_tab() {
  if (!GImGui->NavMoveSubmitted || !moves_by_tab()) return false;
  ImGui::NavMoveRequestCancel();
  return true;
}

void end_focus() {
  ImGuiContext& g = *GImGui;
  if (g.NavMoveSubmitted && moves_by_tab() && g.NavTabbingDir > 0 && g.NavMoveResultLocal.ID == 0)
    g.NavTabbingDir = 0;  // "the first item"
}

void begin_no_tab_stops() {
  ImGui::PushItemFlag(ImGuiItemFlags_NoTabStop, true);
}

void end_no_tab_stops() {
  ImGui::PopItemFlag();
}

bool has_focus_ring() {
  return ImGui::IsItemFocused() && ImGui::GetIO().NavVisible;
}

ImGuiID ringed_item() {
  return ImGui::GetIO().NavVisible ? GImGui->NavId : 0;
}

// Newer versions of the toolkit keep the item active while the key is down; what takes its place, a text
// field of the same id, would take it for its own.
bool pressed_by_enter() {
  const bool this_key = ImGui::IsItemActivated();
  if (!has_focus_ring() || (ImGui::IsAnyItemActive() && !this_key)) return false;
  if (!enter_pressed()) return false;
  if (this_key) ImGui::ClearActiveID();
  return true;
}

bool wants_tooltip() {
  return ImGui::IsItemHovered() && GImGui->HoveredIdTimer >= kTooltipDelay;
}

bool tooltip_due() {
  return GImGui && GImGui->HoveredId != 0 && GImGui->HoveredIdTimer < kTooltipDelay;
}

void close_by_escape() {
  if (!ImGui::IsAnyItemActive() && key_pressed(GLFW_KEY_ESCAPE, false)) ImGui::CloseCurrentPopup();
}

void draw_focus_ring(const Theme& theme, float rounding) {
  if (!has_focus_ring()) return;
  const float gap = theme.px(2), width = theme.px(1.5f);
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  ImGui::GetWindowDrawList()->AddRect({min.x - gap, min.y - gap}, {max.x + gap, max.y + gap},
                                      theme.focus_ring, rounding + gap, 0, width);
}

}  // namespace attn
