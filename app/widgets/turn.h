// A pair of numbers turned around 0, drawn on a circle: where it was, the arc that it went, and where it is.
#pragma once

#include "app/frame/frame.h"

namespace attn {

struct TurnDrawing {
  double from = 0;   // the direction that it had, radians, counted against the clock
  double angle = 0;  // that it turns by; whole turns are wound as a spiral
  ImU32 before = 0, after = 0, arc = 0;
};

// Inside the box, as large as it fits.
void draw_turn(ImDrawList& list, const Theme& theme, Rect box, const TurnDrawing& turn);

// "3.02 rad", "173.2°".
std::string in_radians(double angle);
std::string in_degrees(double angle);  // of the last turn that is not whole, from 0 to 360

}  // namespace attn
