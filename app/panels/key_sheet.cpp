// The key sheet: the keys of the command table, then the gestures of the matrices.
#include <algorithm>
#include <array>

#include "app/panels/overlay.h"

namespace attn {
namespace {

struct Gesture {
  const char *keys, *what;
};

constexpr std::array kGestures{
    Gesture{"drag a number sideways", "change it (Shift finer, Alt coarser)"},
    Gesture{"double-click, or type", "enter a number or an expression: sqrt(2)/2"},
    Gesture{"Enter · Tab · Esc", "take it and move down · right · leave it as it was"},
    Gesture{"arrows", "move between cells; with Shift select a block"},
    Gesture{"Ctrl+C · Ctrl+V", "copy a block as a table · paste one"},
    Gesture{"Backspace", "remove the override of a computed cell"},
    Gesture{"click · Esc", "pin the number under the pointer · unpin"},
    Gesture{"drag a token's label", "reorder the tokens"},
    Gesture{"Ctrl+wheel · double-click", "zoom the canvas · fit it"},
    Gesture{"Tab · Shift+Tab", "next · previous control"}};

void row(const char* keys, const char* what, Frame& frame) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.accent);
  ImGui::TextWrapped("%s", keys);
  ImGui::PopStyleColor();
  ImGui::TableNextColumn();
  ImGui::TextWrapped("%s", what);
}

std::string keys_of(const Command& command) {
  std::string keys = to_string(command.shortcut);
  for (const Shortcut& other : command.other_keys) keys += " · " + to_string(other);
  return keys;
}

bool begin_sheet(const char* id) {
  if (!ImGui::BeginTable(id, 2, ImGuiTableFlags_SizingStretchProp)) return false;
  ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthStretch, 0.45f);
  ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthStretch, 0.55f);
  return true;
}

}  // namespace

void draw_key_sheet(Frame& frame) {
  begin_overlay(frame, "##keys", {760, 620}, frame.view.overlays.keys);
  ImGui::PushFont(frame.theme.fonts.bold);
  ImGui::TextUnformatted("Keys");
  ImGui::PopFont();
  ImGui::SameLine();
  ImGui::TextDisabled("Esc closes");
  ImGui::BeginChild("##sheet");
  if (begin_sheet("##commands")) {
    for (const Command& command : frame.table)
      if (command.shortcut.key != 0) row(keys_of(command).c_str(), command.title.c_str(), frame);
    ImGui::EndTable();
  }
  ImGui::Spacing();
  ImGui::TextDisabled("On a matrix");
  if (begin_sheet("##gestures")) {
    for (const Gesture& gesture : kGestures) row(gesture.keys, gesture.what, frame);
    ImGui::EndTable();
  }
  ImGui::EndChild();
  end_overlay();
}

}  // namespace attn
