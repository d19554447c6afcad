// Keys of commands: their names, and which were pressed.
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <initializer_list>

#include "app/frame/commands.h"
#include "app/theme/toolkit.h"

namespace attn {
namespace {

struct KeyName {
  int key;
  const char* name;
};
// Of keys that are not called by the letter on them.
constexpr std::array kKeyNames{
    KeyName{GLFW_KEY_RIGHT, "→"},
    KeyName{GLFW_KEY_LEFT, "←"},
    KeyName{GLFW_KEY_UP, "↑"},
    KeyName{GLFW_KEY_DOWN, "↓"},
    KeyName{GLFW_KEY_PAGE_UP, "PgUp"},
    KeyName{GLFW_KEY_PAGE_DOWN, "PgDn"},
    KeyName{GLFW_KEY_HOME, "Home"},
    KeyName{GLFW_KEY_END, "End"},
    KeyName{GLFW_KEY_SPACE, "Space"},
    KeyName{GLFW_KEY_ENTER, "Enter"},
    KeyName{GLFW_KEY_KP_ENTER, "keypad Enter"},
    KeyName{GLFW_KEY_INSERT, "Insert"},
    KeyName{GLFW_KEY_DELETE, "Delete"},
    KeyName{GLFW_KEY_EQUAL, "+"},
    KeyName{GLFW_KEY_KP_ADD, "keypad +"},
    KeyName{GLFW_KEY_KP_SUBTRACT, "keypad −"},
    KeyName{GLFW_KEY_MINUS, "−"},
};

std::string key_name(int key) {
  const auto found = std::ranges::find(kKeyNames, key, &KeyName::key);
  if (found != kKeyNames.end()) return found->name;
  if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F25) return "F" + std::to_string(key - GLFW_KEY_F1 + 1);
  return {static_cast<char>(key)};
}

bool is_one_of(int key, std::initializer_list<int> keys) {
  return std::ranges::count(keys, key) > 0;
}

// What text fields do themselves: all, copy, paste, cut, undo and redo.
bool is_of_text(const Shortcut& s) {
  if (s.control)
    return is_one_of(s.key, {GLFW_KEY_A, GLFW_KEY_C, GLFW_KEY_V, GLFW_KEY_X, GLFW_KEY_Z, GLFW_KEY_Y});
  return s.key < GLFW_KEY_F1 || s.key > GLFW_KEY_F25;
}

// Arrows, with Alt too, and what begins a number (cell_keys.cpp).
bool is_of_cell(const Shortcut& s) {
  if (s.control) return false;
  if (is_one_of(s.key, {GLFW_KEY_UP, GLFW_KEY_DOWN, GLFW_KEY_LEFT, GLFW_KEY_RIGHT})) return true;
  return !s.alt && !s.shift && s.key >= GLFW_KEY_0 && s.key <= GLFW_KEY_9;
}

// Esc leaves the ring on what an item lies in, and there is nothing to press.
bool rings_a_window() {
  return std::ranges::any_of(
      GImGui->Windows, [](const ImGuiWindow* w) { return w->ChildId != 0 && w->ChildId == GImGui->NavId; });
}

bool is_pressed(const Shortcut& s, KeysFor whose) {
  const ImGuiIO& io = ImGui::GetIO();
  if (s.character != 0)
    return whose != KeysFor::text &&
           std::ranges::count(io.InputQueueCharacters, static_cast<ImWchar>(s.character)) > 0;
  if (s.key == 0 || s.control != io.KeyCtrl || s.shift != io.KeyShift || s.alt != io.KeyAlt) return false;
  if (whose == KeysFor::text && is_of_text(s)) return false;
  // An open list has the arrows, as a cell has them.
  const bool list = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  if ((whose == KeysFor::cell || list) && is_of_cell(s)) return false;
  // It presses what has the focus ring, but there is nothing to press in a cell.
  if (s.key == GLFW_KEY_SPACE && io.NavVisible && whose != KeysFor::cell && !rings_a_window()) return false;
  return key_pressed(s.key);
}

}  // namespace

std::string to_string(const Shortcut& s) {
  if (s.character != 0) return {s.character};
  if (s.key == 0) return {};
  std::string text = s.control ? "Ctrl+" : "";
  if (s.alt) text += "Alt+";
  if (s.shift) text += "Shift+";
  return text + key_name(s.key);
}

std::vector<std::string> pressed_commands(const std::vector<Command>& commands, KeysFor whose) {
  std::vector<std::string> names;
  for (const Command& command : commands) {
    if (!command.enabled) continue;
    if (is_pressed(command.shortcut, whose) ||
        std::ranges::any_of(command.other_keys, [&](const Shortcut& s) { return is_pressed(s, whose); }))
      names.push_back(command.name);
  }
  return names;
}

}  // namespace attn
