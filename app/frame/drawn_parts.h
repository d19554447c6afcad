// What the last frame showed, by name: panels, matrices and plots, and where each lies.
#pragma once

#include <imgui.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/frame/frame.h"

namespace attn {

struct DrawnPart {
  std::string name;  // of a matrix its stage's id, of a plot its own
  Rect area;         // pixels, with title and labels
  Rect seen;         // what of it is in sight; without an area: nothing
  NumbersWriter numbers =
      {};  // where DrawnParts::with_numbers asks for it; empty: there are none, or not all

  bool whole() const {
    constexpr float kLess = 1;  // pixels: clip rectangles are whole
    return seen.min.x <= area.min.x + kLess && seen.min.y <= area.min.y + kLess &&
           seen.max.x >= area.max.x - kLess && seen.max.y >= area.max.y - kLess;
  }
};

// A memo: filled while a frame is drawn.
struct DrawnParts {
  std::vector<DrawnPart> panels, matrices, plots;
  bool with_numbers = false;

  std::size_t bytes() const {
    return (panels.capacity() + matrices.capacity() + plots.capacity()) * sizeof(DrawnPart);
  }
};

// The part that is drawn next into the current window.
inline DrawnPart part_here(const std::string& name, Rect area) {
  const ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 min = list.GetClipRectMin(), max = list.GetClipRectMax();
  return {.name = name,
          .area = area,
          .seen = {{std::max(area.min.x, min.x), std::max(area.min.y, min.y)},
                   {std::min(area.max.x, max.x), std::min(area.max.y, max.y)}}};
}

}  // namespace attn
