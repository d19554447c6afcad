// Keys of commands: their names, and which were pressed.
#include <imgui.h>

#include <algorithm>
#include <initializer_list>

#include "app/frame/commands.h"
#include "app/theme/toolkit.h"

namespace attn {
namespace {

const char* key_name(int key) {
  switch (key) {
    case GLFW_KEY_RIGHT:
      return "→";
    case GLFW_KEY_LEFT:
      return "←";
    case GLFW_KEY_PAGE_UP:
      return "PgUp";
    case GLFW_KEY_PAGE_DOWN:
      return "PgDn";
    case GLFW_KEY_HOME:
      return "Home";
    case GLFW_KEY_END:
      return "End";
    case GLFW_KEY_SPACE:
      return "Space";
    case GLFW_KEY_F1:
      return "F1";
    case GLFW_KEY_F12:
      return "F12";
    case GLFW_KEY_EQUAL:
      return "+";
    case GLFW_KEY_KP_ADD:
      return "keypad +";
    case GLFW_KEY_MINUS:
      return "−";
    case GLFW_KEY_SLASH:
      return "?";
    default:
      return nullptr;
  }
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

bool is_pressed(const Shortcut& s, KeysFor whose) {
  const ImGuiIO& io = ImGui::GetIO();
  if (s.key == 0 || s.control != io.KeyCtrl || s.shift != io.KeyShift || s.alt != io.KeyAlt) return false;
  if (whose == KeysFor::text && is_of_text(s)) return false;
  if (whose == KeysFor::cell && is_of_cell(s)) return false;
  // It presses what has the focus ring, but there is nothing to press in a cell.
  if (s.key == GLFW_KEY_SPACE && io.NavVisible && whose != KeysFor::cell) return false;
  return key_pressed(s.key);
}

}  // namespace

std::string to_string(const Shortcut& s) {
  if (s.key == 0) return {};
  std::string text = s.control ? "Ctrl+" : "";
  if (s.alt) text += "Alt+";
  if (s.shift && s.key != GLFW_KEY_SLASH) text += "Shift+";
  const char* name = key_name(s.key);
  return text + (name ? std::string(name) : std::string(1, static_cast<char>(s.key)));
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
