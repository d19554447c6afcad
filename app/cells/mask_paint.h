// The user's own mask, painted on the matrices of queries by keys.
#pragma once

#include "app/cells/matrix_grid.h"

namespace attn {

// Whether the stage has a cell for each query and key.
bool can_be_painted(const Stage& stage);

// Lets the grid be painted on where it can, while the view says so.
void add_mask_paint(Grid& grid, const Stage& stage, const Frame& frame, Address address);

// Hides the selected cells, or frees them where all are hidden; of their head alone, or of all heads. Throws
// Error when nothing is selected that can be painted.
void paint_selection(Document& document, const View& view, const Graph& graph, bool all_heads);

}  // namespace attn
