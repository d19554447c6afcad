// Offscreen: the program drawn into memory by OpenGL, without a display (EGL surfaceless). Driven like the
// headless host; what it drew is read back as a picture.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/host/headless.h"
#include "core/io/png.h"

namespace attn {

struct JustDrawn;

class Offscreen {
 public:
  // Throws Error(Fault::output) when there is no OpenGL, or none for pictures of that size.
  explicit Offscreen(Headless::Options options);
  ~Offscreen();

  Headless& lab() { return *lab_; }
  Application& app() { return lab_->app(); }

  // Returns when the last frame is drawn to the end: OpenGL works behind the program's back.
  void finish();
  // The next frame is drawn whole, not only where it differs from the last.
  void draw_whole();
  // The last frame, or a part of it.
  Picture picture(std::optional<Rect> area = std::nullopt);
  // Draws another frame, and gives it, or a part of it, with what stands behind what is drawn there; it may
  // be transparent.
  Picture picture_on(ImU32 background, std::optional<Rect> area = std::nullopt);
  // Draws another frame, and gives it, or a part of it, as SVG with the session in it. `background`: in place
  // of its own.
  std::string svg(std::optional<Rect> area, std::optional<ImU32> background, std::string_view session);

 private:
  void frame_made();
  void with_next_frame(const std::function<void(const JustDrawn&)>& use);

  class Canvas;
  std::unique_ptr<Canvas> canvas_;
  std::unique_ptr<Headless> lab_;
  std::function<void()> while_drawn_;  // once, while the frame's textures are there; may be empty
};

}  // namespace attn
