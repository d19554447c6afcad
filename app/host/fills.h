// Large opaque rectangles in draw lists, and the pixels that are theirs: all that lies below is out of sight.
#pragma once

#include <imgui.h>

#include <optional>

#include "app/frame/frame.h"

namespace attn {

struct LargeFill {
  ImVec2 min, max;
  ImU32 colour;
};

// The rectangle of at least `area` pixels behind the six indices of the command from `at` on, if it is one
// that AddRectFilled writes: corners clockwise from the top left, all with the white pixel's texture
// coordinates.
std::optional<LargeFill> large_fill(const ImDrawList& list, const ImDrawCmd& command, unsigned at,
                                    float area);

// The pixels that the toolkit's OpenGL backend makes of a clip rectangle: it measures rows from the bottom
// and cuts the height, so that a rectangle cut at a tile would begin a row lower where its end lies within a
// pixel.
Rect whole_pixels(const ImVec4& clip);

// The whole pixels that are certainly filled, however its clip rectangle is cut to them.
Rect filled_pixels(const LargeFill& fill, const ImVec4& clip);

}  // namespace attn
