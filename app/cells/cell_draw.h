// Drawing the cells of a matrix: colours, numbers, and the patterns of what is no finite number.
#pragma once

#include "app/cells/cell_text.h"

namespace attn {

// Masked by the grid's mask (fewer matrices than heads are shared by consecutive heads).
bool is_masked(const Grid& grid, Cell cell);

// Everything inside the cells. Cells outside the clip rectangle cost nothing.
void draw_cells(ImDrawList& list, Frame& frame, const Grid& grid, const CellLayout& layout);

// The pattern of one cell: diagonal bands, or a checkerboard.
void draw_hatch(ImDrawList& list, Rect cell, ImU32 colour, float spacing);
void draw_checker(ImDrawList& list, Rect cell, ImU32 colour, float size);

}  // namespace attn
