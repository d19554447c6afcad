// What the rows of the controls are drawn from.
#pragma once

#include <string>

#include "app/fields/fields.h"

namespace attn {

// The label on the left, above the box where it has no room there; returns where the box goes and leaves the
// cursor on the next row.
Rect begin_row(Frame& frame, Column column, const FieldRow& row);

// That section of the controls is open from now on, or closed, in the workspace on screen.
void leave_section(View& view, const std::string& title, bool open);

void draw_box(const Theme& theme, Rect box, bool hovered);
inline constexpr float kPad = 7;  // between a value and the edge of its box
// `align`: 0 left and 1 right, both off the edge; 0.5 centre.
void draw_value(const Theme& theme, Rect box, const std::string& value, float align, ImU32 ink);

}  // namespace attn
