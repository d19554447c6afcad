// Outlines: the border of what triangles fill, as loops.
#pragma once

#include <imgui.h>

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace attn {

// A place in hundredths of a pixel: corners that are the same to the eye are the same.
struct OutlinePoint {
  std::int32_t x = 0, y = 0;
  auto operator<=>(const OutlinePoint&) const = default;
};

// Loops run so that whatever the polygons fill lies inside by the nonzero rule, holes do not.
using Loops = std::vector<std::vector<OutlinePoint>>;

// Polygons side by side, from whose borders the sides that two of them share are left out.
class Outline {
 public:
  // Convex; which way round does not matter. One without an area adds nothing.
  void add(std::span<const ImVec2> polygon);
  bool empty() const { return sides_.empty(); }
  // The same for the same polygons, whatever their order. The outline is empty then.
  Loops take();

 private:
  std::map<std::pair<OutlinePoint, OutlinePoint>, int> sides_;  // how often each is there
};

}  // namespace attn
