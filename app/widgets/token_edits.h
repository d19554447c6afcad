// Tokens as rows of a matrix: carried, renamed, added and removed by their labels.
#pragma once

#include "app/widgets/matrix_grid.h"

namespace attn {

// Lets the grid's rows be tokens where the stage's rows are the layer's own: X, the memory, Q, K and V.
void add_token_edits(Grid& grid, const Stage& stage, const Document& draft);

}  // namespace attn
