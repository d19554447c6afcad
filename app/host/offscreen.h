// Offscreen: the program drawn into memory by OpenGL, without a display (EGL surfaceless). Driven like the
// headless host; what it drew is read back as a picture.
#pragma once

#include <memory>
#include <optional>

#include "app/host/headless.h"
#include "core/io/png.h"

namespace attn {

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

 private:
  class Canvas;
  std::unique_ptr<Canvas> canvas_;
  std::unique_ptr<Headless> lab_;
};

}  // namespace attn
