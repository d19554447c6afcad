// Rect: where a region of the window lies.
#pragma once

#include <imgui.h>

namespace attn {

// In pixels.
struct Rect {
  ImVec2 min, max;
  float width() const { return max.x - min.x; }
  float height() const { return max.y - min.y; }
  bool contains(ImVec2 p) const { return p.x >= min.x && p.x < max.x && p.y >= min.y && p.y < max.y; }
};

}  // namespace attn
