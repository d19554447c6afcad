#include <imgui.h>

#include "app/commands.h"
#include "app/keys.h"

namespace attn {
namespace {

const char* key_name(int key) {
  switch (key) {
    case GLFW_KEY_RIGHT:
      return "→";
    case GLFW_KEY_LEFT:
      return "←";
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
  const ImGuiIO& io = ImGui::GetIO();
  for (const Command& command : commands) {
    const Shortcut& s = command.shortcut;
    if (s.key == 0 || !command.enabled) continue;
    if (s.control != io.KeyCtrl || s.shift != io.KeyShift || s.alt != io.KeyAlt) continue;
    const bool function_key = s.key >= GLFW_KEY_F1 && s.key <= GLFW_KEY_F25;
    if (typing && !s.control && !function_key) continue;
    if (s.key == GLFW_KEY_SPACE && io.NavVisible) continue;  // it presses what has the focus ring
    if (key_pressed(s.key)) names.push_back(command.name);
  }
  return names;
}

}  // namespace attn
