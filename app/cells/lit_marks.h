// ①, ②, … at the cells that carry them, and outlines of the cells that a number of a text is made from.
#pragma once

#include "app/cells/cell_layout.h"

namespace attn {

void draw_lit_marks(ImDrawList& list, const Frame& frame, const Grid& grid, const CellLayout& layout);

// Before the item over the cells: the keyboard goes to it where somebody asked for that (Lit::keyboard).
void take_keyboard(Frame& frame, const Grid& grid);

}  // namespace attn
