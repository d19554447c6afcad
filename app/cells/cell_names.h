// The names of rows and columns as things to act on: rows that are things are dragged to another place,
// renamed, added and removed; others, and columns, are selected.
#pragma once

#include "app/cells/cell_layout.h"

namespace attn {

struct RowName {
  bool hot = false;          // under the pointer, or dragged
  bool being_typed = false;  // a field stands in its place
};
// `alone`: every row has its label, so that it can be acted on.
RowName row_name(Frame& frame, const Grid& grid, const CellLayout& layout, std::size_t row, bool alone);

// Whether it is under the pointer.
bool column_name(Frame& frame, const Grid& grid, const CellLayout& layout, std::size_t column, bool alone);

// "+" below the last row, and the line where a dragged one would go.
void row_buttons(ImDrawList& list, Frame& frame, const Grid& grid, const CellLayout& layout);

// Adds a row behind row `at` − 1; with the label of a new one among named ones.
void add_row(Frame& frame, const Grid& grid, std::size_t at);
void start_renaming(Frame& frame, const Grid& grid, std::size_t row);

}  // namespace attn
