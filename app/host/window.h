// Window: the program on a display, by GLFW and OpenGL 3.3. Waits for events; when nothing changes nothing is
// drawn.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/program/application.h"

namespace attn {

class Window {
 public:
  // Nothing when there is no display, or no OpenGL on it; `why` then says so.
  static std::unique_ptr<Window> open(std::string& why);
  ~Window();

  // Shows the program until it is closed. Adds the window's own parts (wake, opengl, dialogs) to `setup`.
  // `ui_scale` takes the place of the monitor's and the settings' scale. `drawn` is called after each frame,
  // with the frame on screen; may be empty.
  void run(Application::Setup setup, std::optional<float> ui_scale,
           std::function<void(Application&)> drawn = {});

 private:
  class Glfw;
  explicit Window(std::unique_ptr<Glfw> glfw);
  std::unique_ptr<Glfw> glfw_;
};

}  // namespace attn
