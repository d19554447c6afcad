// Why the newest document could not be computed, on top of the canvas, with a way out.
#pragma once

#include <functional>
#include <string>

#include "app/frame/frame.h"

namespace attn {

// The ground of a band over the canvas, in the colour of what it says.
ImU32 band_ground(const Theme& theme, ImU32 colour);
// Words across the top of `area`, and below them a row of chips where `chips` is not empty: it adds them
// between two edges. Returns the height that they take.
float draw_band(const Theme& theme, Rect area, const std::string& words, ImU32 colour,
                const std::function<void(float left, float right)>& chips);

// Returns the height that it takes from the canvas: 0 when there is nothing to say.
float draw_notice(Frame& frame, Rect canvas);

// One line over a canvas whose numbers are not those of now, in the margin that it has above. It moves
// nothing.
void draw_before(const Frame& frame, Rect canvas);

}  // namespace attn
