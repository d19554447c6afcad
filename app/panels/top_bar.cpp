// The top bar: the menus of the command table, the workspace tabs, the device badge.
#include <algorithm>

#include "app/frame/workspace.h"
#include "app/language/speech.h"
#include "app/panels/panels.h"
#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "app/widgets/items.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

constexpr float kBadgeWidth = 430, kLeastBadge = 110, kTabPadding = 12;
constexpr float kWordsRoom = 700;  // points of a window whose menus stand in the bar
constexpr float kTabsRoom = 1024;  // in one up to this there is one tab where not all fit, and a short badge
constexpr const char* kMore = "More";
constexpr const char* kMenus = "      ##menus";  // as wide as the sign that is drawn there

void command_item(const Command& command, Frame& frame) {
  if (menu_item(command.title, to_string(command.shortcut).c_str(), command.checked, command.enabled))
    frame.commands.push_back(command.name);
  if (!command.says.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
    show_tooltip(command.says);
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
    if (command.menu == menu) command_item(command, frame);
    const std::string inner = inner_menu(command, menu);
    if (inner.empty() || std::ranges::count(opened, inner) > 0) continue;
    opened.push_back(inner);
    if (begin_menu(inner)) {
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
    if (begin_menu(menu)) {
      close_by_escape();
      ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {frame.theme.px(8), frame.theme.px(7)});
      menu_items(menu, frame);
      ImGui::PopStyleVar();
      ImGui::EndMenu();
    }
  }
}

// All menus in one, behind a sign.
void menus_in_one(Frame& frame, Rect area) {
  const Theme& theme = frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float x = ImGui::GetCursorScreenPos().x + theme.px(6), y = (area.min.y + area.max.y) / 2;
  for (const float row : {-5.0f, 0.0f, 5.0f})
    list.AddRectFilled({x, y + theme.px(row - 1)}, {x + theme.px(17), y + theme.px(row + 1)}, theme.text);
  if (!begin_menu(kMenus)) return;
  close_by_escape();
  menus(frame);
  ImGui::EndMenu();
}

float tab_width(const Theme& theme, std::string_view title) {
  return text_width(theme.fonts.body, title) + 2 * theme.px(kTabPadding);
}

// One tab; the one in use is lit and underlined. Returns where it ends.
float tab(const Workspace& workspace, float x, Rect area, Frame& frame) {
  const std::string title(workspace.title), said = spoken(title);
  const ImVec2 text = ImGui::CalcTextSize(said.c_str());
  const Rect rect{{x, area.min.y}, {x + tab_width(frame.theme, title), area.max.y}};
  ImGui::SetCursorScreenPos(rect.min);
  if (ImGui::InvisibleButton(("##tab_" + title).c_str(), {rect.width(), rect.height()}))
    frame.view.workspace = &workspace;
  const bool on = &workspace == &frame.workspace;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (on) {
    list.AddRectFilled(rect.min, rect.max, mix(frame.theme.bar, frame.theme.text, 0.08f));
    list.AddRectFilled({rect.min.x, rect.max.y - frame.theme.px(2)}, rect.max, frame.theme.accent);
  }
  const ImVec2 at{rect.min.x + frame.theme.px(kTabPadding), area.min.y + (area.height() - text.y) / 2};
  list.AddText(at, on ? frame.theme.text : frame.theme.dim, said.c_str());
  return rect.max.x;
}

// Those with a tab where there is room for so much; the one in use always has one, the rest stands under
// More: all the rest where the window is narrow.
std::vector<const Workspace*> tabs_shown(const Frame& frame, float room, bool narrow) {
  float all = 0;
  for (const Workspace& workspace : frame.workspaces) all += tab_width(frame.theme, workspace.title);
  const bool crowded = all > room;
  if (crowded && narrow) return {&frame.workspace};
  if (crowded) room -= tab_width(frame.theme, frame.workspace.title) + tab_width(frame.theme, kMore);
  std::vector<const Workspace*> shown;
  for (const Workspace& workspace : frame.workspaces) {
    const bool set_aside = crowded && &workspace == &frame.workspace;
    const float width = set_aside ? 0 : tab_width(frame.theme, workspace.title);
    if (width <= room || set_aside) shown.push_back(&workspace);
    room = width <= room ? room - width : 0;
  }
  return shown;
}

// The workspaces without a tab, in a menu behind the last one. Returns where its title ends.
float more_tabs(const std::vector<const Workspace*>& shown, float x, Rect area, Frame& frame) {
  ImGui::SetCursorScreenPos({x + frame.theme.px(kTabPadding), area.min.y});
  if (begin_menu(kMore)) {
    close_by_escape();
    for (const Workspace& workspace : frame.workspaces) {
      const auto command =
          std::ranges::find(frame.table, "workspace." + std::string(workspace.name), &Command::name);
      const std::string key = command == frame.table.end() ? "" : to_string(command->shortcut);
      if (std::ranges::count(shown, &workspace) == 0 && menu_item(std::string(workspace.title), key.c_str()))
        frame.view.workspace = &workspace;
    }
    ImGui::EndMenu();
  }
  return x + tab_width(frame.theme, kMore);
}

// Returns where they end.
float tabs(float x, Rect area, Frame& frame) {
  const float room = area.max.x - frame.theme.px(kLeastBadge) - x;
  const std::vector<const Workspace*> shown =
      tabs_shown(frame, room, area.width() <= frame.theme.px(kTabsRoom));
  for (const Workspace* workspace : shown) x = tab(*workspace, x, area, frame);
  return shown.size() == frame.workspaces.size() ? x : more_tabs(shown, x, area, frame);
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
    area.width() < theme.px(kWordsRoom) ? menus_in_one(frame, area) : menus(frame);
    x = ImGui::GetCursorScreenPos().x + theme.px(24);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    x = tabs(x, area, frame);
    const bool narrow = area.width() <= theme.px(kTabsRoom);
    const float left = std::max(x + theme.px(12), area.max.x - theme.px(narrow ? kLeastBadge : kBadgeWidth));
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
