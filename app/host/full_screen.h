// The window on the whole of its monitor while it presents.
#pragma once

#include <GLFW/glfw3.h>

namespace attn {

class FullScreen {
 public:
  // Takes the monitor that most of the window lies on, and gives it back: the window is where it was.
  void follow(GLFWwindow* window, bool wanted);

 private:
  bool on_ = false, maximized_ = false;
  int x_ = 0, y_ = 0, width_ = 0, height_ = 0;  // before
};

}  // namespace attn
