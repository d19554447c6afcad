// Windows above everything, and which of them are open.
#include "app/panels/overlay.h"

#include <algorithm>

#include "app/frame/recording_view.h"
#include "app/panels/panels.h"
#include "app/theme/toolkit.h"

namespace attn {

void begin_overlay(Frame& frame, const char* id, ImVec2 size, bool& open) {
  const Theme& theme = frame.theme;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  size = {std::min(theme.px(size.x), display.x - theme.px(40)),
          std::min(theme.px(size.y), display.y - theme.px(60))};
  ImGui::SetNextWindowPos({(display.x - size.x) / 2, (display.y - size.y) / 3});
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, theme.px(8));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme.bar);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, theme.bar);
  ImGui::Begin(id, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
  if (ImGui::IsWindowAppearing()) ImGui::SetWindowFocus();
  // A menu of its own may reach beyond it.
  const bool menu = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  const bool outside =
      !menu && ImGui::IsMouseClicked(0) && !ImGui::IsWindowAppearing() &&
      !ImGui::IsMouseHoveringRect(
          ImGui::GetWindowPos(), {ImGui::GetWindowPos().x + size.x, ImGui::GetWindowPos().y + size.y}, false);
  if (key_pressed(GLFW_KEY_ESCAPE, false) || outside) open = false;
}

void end_overlay() {
  ImGui::End();
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar(2);
}

void draw_overlays(Frame& frame) {
  Overlays& overlays = frame.view.overlays;
  if (overlays.manual.open && !overlays.over_manual()) draw_manual(frame);  // it waits below the others
  if (overlays.palette) draw_palette(frame);
  if (overlays.keys) draw_key_sheet(frame);
  if (overlays.files.open) draw_file_dialog(frame);
  if (overlays.preview.open) draw_array_preview(frame);
  if (frame.view.of<RecordingView>().writing && !overlays.files.open) draw_lesson_words(frame);
  if (!overlays.closing.empty()) draw_closing(frame);
}

}  // namespace attn
