// The key sheet: the keys of the command table, then the gestures of the matrices.
#include <algorithm>
#include <array>
#include <span>

#include "app/panels/overlay.h"
#include "app/widgets/items.h"

namespace attn {
namespace {

constexpr float kWidth = 1080, kTwoColumns = 760;  // points

struct Gesture {
  const char *keys, *what;
};

constexpr std::array kCellKeys{
    Gesture{"0–9 . − +", "type a number over it; heads are switched once Esc has let the cell go"},
    Gesture{"Enter · F2 · double-click", "open it for a number or an expression: sqrt(2)/2"},
    Gesture{"arrows", "move between cells; with Shift select a block"},
    Gesture{"Alt+↑ · Alt+↓", "carry its token up · down"},
    Gesture{"Backspace", "remove the override of a computed cell"},
    Gesture{"Esc", "let it go"}};

constexpr std::array kEntryKeys{
    Gesture{"Enter · Tab · Esc", "take it and move down · right · leave it as it was"},
    Gesture{"Tab, Tab, Enter", "down, to the column where the first Tab was pressed"}};

constexpr std::array kGestures{Gesture{"drag a number sideways", "change it (Shift finer, Alt coarser)"},
                               Gesture{"click · Esc", "pin the number under the pointer · unpin"},
                               Gesture{"drag a token's label", "reorder the tokens"},
                               Gesture{"double-click a label", "rename the token"},
                               Gesture{"Ctrl+wheel", "zoom the canvas about the pointer"},
                               Gesture{"double-click the canvas", "fit it"},
                               Gesture{"Tab · Shift+Tab", "next · previous control"},
                               Gesture{"Space · Enter", "press what has the focus ring"}};

void row(const char* keys, const char* what, Frame& frame) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.accent);
  say_wrapped(keys);
  ImGui::PopStyleColor();
  ImGui::TableNextColumn();
  say_wrapped(what);
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

void gestures(const char* title, std::span<const Gesture> list, Frame& frame) {
  ImGui::Spacing();
  say_dim(title);
  if (!begin_sheet(title)) return;
  for (const Gesture& gesture : list) row(gesture.keys, gesture.what, frame);
  ImGui::EndTable();
}

void command_keys(Frame& frame) {
  if (!begin_sheet("##commands")) return;
  for (const Command& command : frame.table)
    if (command.shortcut) row(keys_of(command).c_str(), command.title.c_str(), frame);
  ImGui::EndTable();
}

void all_gestures(Frame& frame) {
  gestures("With a number selected", kCellKeys, frame);
  gestures("While a number is typed", kEntryKeys, frame);
  gestures("By mouse, and everywhere", kGestures, frame);
}

}  // namespace

// Commands on the left, the rest on the right; below each other where there is no room.
void draw_key_sheet(Frame& frame) {
  begin_overlay(frame, "##keys", {kWidth, 1000}, frame.view.overlays.keys);
  ImGui::PushFont(frame.theme.fonts.bold);
  say("Keys");
  ImGui::PopFont();
  ImGui::SameLine();
  say_dim("Esc closes");
  ImGui::BeginChild("##sheet");
  const bool wide = ImGui::GetContentRegionAvail().x > frame.theme.px(kTwoColumns);
  if (wide && ImGui::BeginTable("##columns", 2, ImGuiTableFlags_SizingStretchSame)) {
    ImGui::TableNextColumn();
    command_keys(frame);
    ImGui::TableNextColumn();
    all_gestures(frame);
    ImGui::EndTable();
  } else {
    command_keys(frame);
    all_gestures(frame);
  }
  ImGui::EndChild();
  end_overlay();
}

}  // namespace attn
