// What closing would lose: save it, close all the same, or stay.
#include <imgui.h>

#include "app/panels/overlay.h"
#include "app/widgets/chips.h"
#include "app/widgets/focus.h"
#include "app/widgets/items.h"

namespace attn {

void draw_closing(Frame& frame) {
  std::string& words = frame.view.overlays.closing;
  bool open = true;
  begin_overlay(frame, "##closing", {560, 150}, open);
  begin_tab_stops();
  ImGui::PushFont(frame.theme.fonts.bold);
  say("Unsaved work");
  ImGui::PopFont();
  say_wrapped(words);
  ImGui::Dummy({0, frame.theme.px(8)});
  {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ChipRow row(frame.theme, at.x, at.x + ImGui::GetContentRegionAvail().x);
    if (row.add({.id = "save", .text = "Save…", .tooltip = "and close then", .on = true}))
      frame.commands.push_back("file.save_and_quit");
    if (row.add({.id = "discard", .text = "Close without saving", .tooltip = "its changes are lost"}))
      frame.commands.push_back("file.quit_unsaved");
    if (row.add({.id = "stay", .text = "Stay", .tooltip = {}})) open = false;
  }
  end_tab_stops();
  end_overlay();
  if (!open) words.clear();
}

}  // namespace attn
