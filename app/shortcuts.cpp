// Keys of commands: their names, and which were pressed.
#include <imgui.h>

#include <algorithm>

#include "app/commands.h"
#include "app/toolkit.h"

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

bool is_pressed(const Shortcut& s, bool typing) {
  const ImGuiIO& io = ImGui::GetIO();
  if (s.key == 0 || s.control != io.KeyCtrl || s.shift != io.KeyShift || s.alt != io.KeyAlt) return false;
  const bool function_key = s.key >= GLFW_KEY_F1 && s.key <= GLFW_KEY_F25;
  if (typing && !s.control && !function_key) return false;
  if (s.key == GLFW_KEY_SPACE && io.NavVisible) return false;  // it presses what has the focus ring
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

std::vector<std::string> pressed_commands(const std::vector<Command>& commands, bool typing) {
  std::vector<std::string> names;
  for (const Command& command : commands) {
    if (!command.enabled) continue;
    if (is_pressed(command.shortcut, typing) ||
        std::ranges::any_of(command.other_keys, [&](const Shortcut& s) { return is_pressed(s, typing); }))
      names.push_back(command.name);
  }
  return names;
}

}  // namespace attn
