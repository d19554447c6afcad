// What a desktop knows the window by, to show the program's icon and name with it.
#pragma once

#include <GLFW/glfw3.h>

namespace attn {

inline constexpr const char* kWindowClass = "attention-lab";  // of assets/package/attention-lab.desktop

// Of the window that is made next.
inline void hint_window_class() {
  for (const int name : {GLFW_X11_CLASS_NAME, GLFW_X11_INSTANCE_NAME})
    glfwWindowHintString(name, kWindowClass);
#ifdef GLFW_WAYLAND_APP_ID  // GLFW 3.4
  glfwWindowHintString(GLFW_WAYLAND_APP_ID, kWindowClass);
#endif
}

}  // namespace attn
