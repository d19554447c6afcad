// Tokens as rows of a matrix: carried, renamed, added and removed by their labels; and the sizes that the
// layer's own matrices can take.
#pragma once

#include "app/cells/matrix_grid.h"

namespace attn {

// Lets the grid's rows be tokens where the stage's rows are the layer's own: X, the memory, Q, K and V. Where
// these or projections are given, a pasted block may bring another size.
void add_token_edits(Grid& grid, const Stage& stage, const Document& draft, Address address);

}  // namespace attn
