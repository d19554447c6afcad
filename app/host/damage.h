// Damage: what of a frame differs from the frame before, so that a framebuffer which still holds that one
// needs only the difference drawn.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <vector>

#include "app/frame/frame.h"

namespace attn {

class Damage {
 public:
  // The regions of the display, disjoint and in its coordinates, whose pixels may differ from the last frame
  // that was given; all of it the first time and when its size has changed. The draw lists keep only what is
  // drawn there, clipped to them: drawn over the last frame, with the regions cleared to the background
  // first, they make this one.
  std::vector<Rect> restrict_to_changes(ImDrawData& data, ImU32 background);

  // The next frame is drawn whole: the framebuffer is new, or the fonts are.
  void forget() { tiles_.clear(); }

 private:
  std::vector<std::uint64_t> tiles_;  // a hash of all that touches each tile of the display, in drawing order
  ImVec2 size_{};
};

}  // namespace attn
