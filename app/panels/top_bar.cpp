// The top bar: the menus of the command table, the workspace tabs, the device badge.
#include <algorithm>

#include "app/panels/panels.h"
#include "app/widgets/focus.h"
#include "app/workspaces/workspaces.h"

namespace attn {
namespace {

constexpr float kBadgeWidth = 430;

void menu_item(const Command& command, Frame& frame) {
  if (ImGui::MenuItem(command.title.c_str(), to_string(command.shortcut).c_str(), command.checked,
                      command.enabled))
    frame.commands.push_back(command.name);
}

// The next part of the path to a command in a menu inside this one; empty: it is in none.
std::string inner_menu(const Command& command, const std::string& menu) {
  if (!command.menu.starts_with(menu + "/")) return {};
  const std::string path = command.menu.substr(menu.size() + 1);
  return path.substr(0, path.find('/'));
}

// Menus in the order in which the table names them; "Edit/Layer/Mask" is a menu inside "Layer" inside "Edit".
void menu_items(const std::string& menu, Frame& frame) {
  std::vector<std::string> opened;
  for (const Command& command : frame.table) {
    if (command.menu == menu) menu_item(command, frame);
    const std::string inner = inner_menu(command, menu);
    if (inner.empty() || std::ranges::count(opened, inner) > 0) continue;
    opened.push_back(inner);
    if (ImGui::BeginMenu(inner.c_str())) {
      menu_items(menu + "/" + inner, frame);
      ImGui::EndMenu();
    }
  }
}

void menus(Frame& frame) {
  std::vector<std::string> opened;
  for (const Command& command : frame.table) {
    const std::string menu = command.menu.substr(0, command.menu.find('/'));
    if (menu.empty() || std::ranges::count(opened, menu) > 0) continue;
    opened.push_back(menu);
    if (ImGui::BeginMenu(menu.c_str())) {
      close_by_escape();
      ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {frame.theme.px(8), frame.theme.px(7)});
      menu_items(menu, frame);
      ImGui::PopStyleVar();
      ImGui::EndMenu();
    }
  }
}

// One tab; the one in use is lit and underlined. Returns where it ends.
float tab(const Workspace& workspace, float x, Rect area, Frame& frame) {
  const std::string title(workspace.title);
  const ImVec2 text = ImGui::CalcTextSize(title.c_str());
  const Rect rect{{x, area.min.y}, {x + text.x + frame.theme.px(24), area.max.y}};
  ImGui::SetCursorScreenPos(rect.min);
  if (ImGui::InvisibleButton(("##tab_" + title).c_str(), {rect.width(), rect.height()}))
    frame.view.workspace = &workspace;
  const bool on = &workspace == &frame.workspace;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (on) {
    list.AddRectFilled(rect.min, rect.max, mix(frame.theme.bar, frame.theme.text, 0.08f));
    list.AddRectFilled({rect.min.x, rect.max.y - frame.theme.px(2)}, rect.max, frame.theme.accent);
  }
  const ImVec2 at{rect.min.x + frame.theme.px(12), area.min.y + (area.height() - text.y) / 2};
  list.AddText(at, on ? frame.theme.text : frame.theme.dim, title.c_str());
  return rect.max.x;
}

}  // namespace

void draw_top_bar(Frame& frame, Rect area) {
  const Theme& theme = frame.theme;
  ImGui::SetCursorScreenPos(area.min);
  const float padding = (area.height() - ImGui::GetFontSize()) / 2;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {theme.px(10), padding});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleColor(ImGuiCol_MenuBarBg, theme.bar);
  // The menus show where the keyboard is; the bar around them need not.
  const ImVec4 highlight = ImGui::GetStyle().Colors[ImGuiCol_NavHighlight];
  ImGui::PushStyleColor(ImGuiCol_NavHighlight, ImVec4());
  ImGui::BeginChild("##top", {area.width(), area.height()}, false,
                    ImGuiWindowFlags_MenuBar | ImGuiWindowFlags_NoScrollbar |
                        ImGuiWindowFlags_NoScrollWithMouse | kFocusableChild);
  ImGui::PushStyleColor(ImGuiCol_NavHighlight, highlight);
  float x = area.min.x;
  if (ImGui::BeginMenuBar()) {
    ImGui::PopStyleVar(2);  // popups have the usual paddings
    menus(frame);
    x = ImGui::GetCursorScreenPos().x + theme.px(24);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    for (const Workspace& workspace : frame.workspaces) x = tab(workspace, x, area, frame);
    const float left = std::max(x + theme.px(12), area.max.x - theme.px(kBadgeWidth));
    draw_device_badge(
        frame, {{left, area.min.y + theme.px(7)}, {area.max.x - theme.px(14), area.max.y - theme.px(7)}});
    ImGui::EndMenuBar();
  }
  ImGui::PopStyleColor();
  ImGui::EndChild();
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar(2);
  ImGui::GetWindowDrawList()->AddLine({area.min.x, area.max.y}, area.max, theme.border);
}

}  // namespace attn
