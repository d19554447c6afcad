// What is drawn over the cells: linked outlines, the ring of the number in focus, selections and marks.
#pragma once

#include "app/cells/cell_layout.h"

namespace attn {

// The block that a selection spans, half-open.
Region block_of(const Selection& selection);

// The same where that is several cells, else all of a matrix: what is filled, or copied into other programs.
Region block_or_whole(const Selection* selection, std::size_t head, const Shape& shape);

// Whether the view's selection is on this grid.
const Selection* selection_on(const Grid& grid, const View& view);

// Pixels of an outline of a cell or block that leaves the numbers alone.
float cell_line(const Theme& theme);

void draw_marks(ImDrawList& list, const Frame& frame, const Grid& grid, const CellLayout& layout);

}  // namespace attn
