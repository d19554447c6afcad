// The command palette: every enabled command, by any of its words.
#include <imgui.h>

#include <imgui_stdlib.h>

#include <algorithm>

#include "app/language/speech.h"
#include "app/panels/overlay.h"
#include "app/theme/toolkit.h"
#include "app/widgets/items.h"
#include "core/text/find_words.h"
#include "core/text/text.h"

namespace attn {
namespace {

// "Edit: Undo".
std::string english_entry(const Command& command) {
  return command.menu.empty() ? command.title : command.menu + ": " + command.title;
}

// As it is listed.
std::string entry_of(const Command& command) {
  std::string entry;
  for (const std::string& menu : split(command.menu, '/')) entry += (entry.empty() ? "" : "/") + spoken(menu);
  return known(entry + (entry.empty() ? "" : ": ") + spoken(command.title));
}

bool is_found(const Command& command, const std::string& query) {
  return holds_words(entry_of(command), query) || holds_words(english_entry(command), query);
}

bool is_written_out(const Command& command, const std::string& query) {
  const auto is = [&](const std::string& text) { return small_letters(text) == query; };
  return is(spoken(command.title)) || is(entry_of(command)) || is(command.title) ||
         is(english_entry(command));
}

void draw_list(Frame& frame, const std::vector<const Command*>& found, bool enter) {
  View& view = frame.view;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Command& command = *found[i];
    const bool chosen = static_cast<int>(i) == view.overlays.palette_choice;
    const bool clicked = selectable(entry_of(command) + "##" + command.name, chosen);
    const std::string shortcut = spoken(to_string(command.shortcut));
    ImGui::SameLine(ImGui::GetContentRegionMax().x - ImGui::CalcTextSize(shortcut.c_str()).x);
    const ImU32 ink = chosen ? frame.theme.text : frame.theme.dim;
    ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(ink), "%s", shortcut.c_str());
    if (chosen) ImGui::SetScrollHereY();
    if (clicked || (chosen && enter)) {
      frame.commands.push_back(command.name);
      view.overlays.palette = false;
    }
  }
  if (found.empty()) say_dim("No matching command");
}

}  // namespace

void draw_palette(Frame& frame) {
  View& view = frame.view;
  begin_overlay(frame, "##palette", {560, 420}, view.overlays.palette);
  if (ImGui::IsWindowAppearing()) focus_next_item();
  ImGui::SetNextItemWidth(-1);
  if (ImGui::InputTextWithHint("##words", spoken("type words of a command, Enter runs it").c_str(),
                               &view.overlays.palette_text))
    view.overlays.palette_choice = 0;
  const std::string query = small_letters(view.overlays.palette_text);
  std::vector<const Command*> found;
  for (const Command& command : frame.table)
    if (command.enabled && command.name != "help.palette" && is_found(command, query))
      found.push_back(&command);
  std::ranges::stable_partition(found, [&](const Command* command) {  // what is written out comes first
    return is_written_out(*command, query);
  });
  const int last = std::max(0, static_cast<int>(found.size()) - 1);
  view.overlays.palette_choice += (key_pressed(GLFW_KEY_DOWN) ? 1 : 0) - (key_pressed(GLFW_KEY_UP) ? 1 : 0);
  view.overlays.palette_choice = std::clamp(view.overlays.palette_choice, 0, last);
  const bool enter = enter_pressed();
  ImGui::BeginChild("##found");
  draw_list(frame, found, enter);
  ImGui::EndChild();
  end_overlay();
}

}  // namespace attn
