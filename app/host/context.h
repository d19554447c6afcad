// What every host shares: the Dear ImGui context with the program's settings, and a frame with its second
// pass.
#pragma once

#include <imgui.h>

#include <chrono>
#include <functional>

#include "app/theme/theme.h"

namespace attn {

class Application;

// Creates a context and makes it the current one; the previous one is current again at the end.
class ImguiContext {
 public:
  ImguiContext();
  ~ImguiContext();
  ImguiContext(const ImguiContext&) = delete;
  ImguiContext& operator=(const ImguiContext&) = delete;

  void make_current() const { ImGui::SetCurrentContext(context_); }

 private:
  ImGuiContext* previous_;
  ImGuiContext* context_;
};

// What a host adds to each pass of a frame.
struct PassHooks {
  std::function<void()> new_frame;  // calls the backends' and ImGui's NewFrame
  std::function<void()> on_top;     // draws over the program; may be empty
};

// One frame up to and including ImGui::Render(). When
// the frame changed the document, waits at most `limit` for what follows from it and makes the frame again,
// so that input and effect share one picture.
void make_frame(Application& app, const Fonts& fonts, float scale, std::chrono::microseconds limit,
                const PassHooks& passes);

}  // namespace attn
