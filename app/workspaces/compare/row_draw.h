// A row of the canvas that compares, drawn. Private to app/workspaces/compare.
#pragma once

#include "app/workspaces/compare/rows.h"

namespace attn {

// Folded a line, open its matrices with what differs.
void draw_row(Frame& frame, const CompareFigures& figures, const CompareRow& row, Rect area);

}  // namespace attn
