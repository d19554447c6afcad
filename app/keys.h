// Keys by GLFW's native codes: Dear ImGui 1.86 (Debian 12) has no names for most keys, newer ones have no
// native codes.
#pragma once

#include <GLFW/glfw3.h>
#include <imgui.h>

namespace attn {

#if IMGUI_VERSION_NUM >= 18700
#error "map GLFW codes to ImGuiKey here: IsKeyPressed no longer takes native codes"
#endif

inline bool key_pressed(int glfw_key, bool repeat = true) {
  return ImGui::IsKeyPressed(glfw_key, repeat);
}
inline bool key_down(int glfw_key) {
  return ImGui::IsKeyDown(glfw_key);
}

}  // namespace attn
