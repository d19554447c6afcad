// Triangles as they are seen: without the soft edges that are drawn around shapes.
#pragma once

#include <imgui.h>

#include <array>
#include <optional>
#include <span>

#include "app/theme/brushes.h"

namespace attn {

// What is seen of a triangle: three or four corners, of one colour.
struct SeenTriangle {
  std::array<ImVec2, 4> places{};
  std::size_t count = 0;
  ImU32 colour = 0;
  std::span<const ImVec2> corners() const { return std::span(places).first(count); }
};

// Where opacity runs out towards a corner, half of the way to it is left; what a line's picture in the font
// texture has beyond the line, as `brushes` or the toolkit painted it, is cut off. The corners lie in a list
// of vertices, in which the two sides of a line stand beside each other. None: nothing is seen.
std::optional<SeenTriangle> seen_of(const std::array<const ImDrawVert*, 3>& corners, const Brushes& brushes);

}  // namespace attn
