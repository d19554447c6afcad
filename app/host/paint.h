// Finished frames, drawn by OpenGL.
#pragma once

#include <imgui.h>

#include "app/host/damage.h"
#include "app/render/shader_program.h"

namespace attn {

// Draws into a framebuffer of its own, which keeps the last frame: only what differs from it is drawn again.
// Without a graphics card every pixel of the toolkit's shader costs a texture lookup and blending, some 6 ns.
// All calls need the OpenGL context that was current at the first.
class Painter {
 public:
  Painter() = default;
  ~Painter();
  Painter(const Painter&) = delete;
  Painter& operator=(const Painter&) = delete;

  // Makes the framebuffer, as large as `pixels`, the one that is drawn into and read from. Throws
  // Error(Fault::output) when OpenGL can't have one that large.
  void bind(ImVec2 pixels);

  // Draws the frame into it: where it differs from the last. Large, opaque, upright rectangles of one colour
  // are cleared, not drawn, which is several times as fast.
  void paint(ImDrawData& data, ImVec2 pixels);

  // Copies it onto the window.
  void show();

  // The next frame is drawn whole: the fonts have changed.
  void forget() { damage_.forget(); }

  ImVec2 size() const { return size_; }

 private:
  unsigned framebuffer_ = 0, colours_ = 0;
  ImVec2 size_{};
  Damage damage_;
  ShaderProgram surface_;
};

}  // namespace attn
