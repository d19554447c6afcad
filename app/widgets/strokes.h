// Strokes: lines and discs drawn with the brushes of the fonts' texture.
#pragma once

#include <cmath>
#include <span>

#include "app/theme/theme.h"

namespace attn {

// In pixels, whose squares are far inside the range of float: without the care of hypot, and its time.
inline float stroke_length(ImVec2 a) {
  return std::sqrt(a.x * a.x + a.y * a.y);
}

// The line through the points, its ends cut square. Sharp turns keep their corners without growing spikes.
void draw_stroke(ImDrawList& list, const Theme& theme, std::span<const ImVec2> points, ImU32 colour,
                 float thickness);

// … in dashes: `on` pixels of line, `off` pixels of nothing.
void draw_dashes(ImDrawList& list, const Theme& theme, std::span<const ImVec2> points, ImU32 colour,
                 float thickness, float on, float off);

void draw_disc(ImDrawList& list, const Theme& theme, ImVec2 centre, float radius, ImU32 colour);
void draw_ring(ImDrawList& list, ImVec2 centre, float radius, ImU32 colour, float thickness);

}  // namespace attn
