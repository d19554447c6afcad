// Matrices that fill an area of a canvas, and rows of them that are told apart.
#pragma once

#include "app/cells/matrix_grid.h"

namespace attn {

// A stage's matrix over an area, its cells as large as fit; `rows`: that the area has room for; `labelled`:
// with labels of its rows.
Grid fitted_grid(const Frame& frame, StageIndex stage, std::size_t head, Rect area, std::size_t rows = 0,
                 bool labelled = true);

// Gives a grid that stands there cells as large as fit; again, when it has other labels or another title.
void fit_cells(const Frame& frame, Grid& grid, Rect area, std::size_t rows = 0);

Rect row_rect(const Frame& frame, const Grid& grid, std::size_t row);
// Its outline, as far as a row of a pixel can have one, and its name next to it.
void outline_row(const Theme& theme, Rect row, ImU32 colour, const char* name);

}  // namespace attn
