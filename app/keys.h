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
inline bool any_key_pressed() {
  for (int key = 0; key < IM_ARRAYSIZE(ImGui::GetIO().KeysDown); ++key)
    if (key_pressed(key, false)) return true;
  return false;
}
inline bool key_down(int glfw_key) {
  return ImGui::IsKeyDown(glfw_key);
}

}  // namespace attn
