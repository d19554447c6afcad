// By GLFW's calls, which say nothing where a desktop refuses: the window presents as large as it is then.
#include "app/host/full_screen.h"

#include <algorithm>

namespace attn {
namespace {

// Square pixels of a monitor that lie under the window.
long long shared_area(GLFWmonitor* monitor, int x, int y, int width, int height) {
  int left = 0, top = 0;
  glfwGetMonitorPos(monitor, &left, &top);
  const GLFWvidmode* mode = glfwGetVideoMode(monitor);
  if (!mode) return -1;
  const long long across = std::min(x + width, left + mode->width) - std::max(x, left),
                  down = std::min(y + height, top + mode->height) - std::max(y, top);
  return std::max(0LL, across) * std::max(0LL, down);
}

}  // namespace

void FullScreen::follow(GLFWwindow* window, bool wanted) {
  if (wanted == on_) return;
  on_ = wanted;
  if (!wanted) {
    glfwSetWindowMonitor(window, nullptr, x_, y_, width_, height_, GLFW_DONT_CARE);
    if (maximized_) glfwMaximizeWindow(window);
    return;
  }
  maximized_ = glfwGetWindowAttrib(window, GLFW_MAXIMIZED) == GLFW_TRUE;
  glfwGetWindowPos(window, &x_, &y_);
  glfwGetWindowSize(window, &width_, &height_);
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  const auto area = [&](GLFWmonitor* monitor) { return shared_area(monitor, x_, y_, width_, height_); };
  GLFWmonitor** most = std::max_element(monitors, monitors + count,
                                        [&](GLFWmonitor* a, GLFWmonitor* b) { return area(a) < area(b); });
  const GLFWvidmode* mode = most == monitors + count ? nullptr : glfwGetVideoMode(*most);
  if (!mode) return void(on_ = false);
  glfwSetWindowAttrib(window, GLFW_AUTO_ICONIFY, GLFW_FALSE);  // whoever works on another monitor presents on
  glfwSetWindowMonitor(window, *most, 0, 0, mode->width, mode->height, mode->refreshRate);
}

}  // namespace attn
