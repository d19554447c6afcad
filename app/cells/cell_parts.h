// The parts of a matrix grid that a person acts on, each in a file of its own. Called inside the grid's ID
// scope, after the cells are drawn.
#pragma once

#include <functional>

#include "app/cells/cell_marks.h"

namespace attn {

// Title, and the labels of rows and columns: tokens are dragged, renamed, added and removed by them.
void draw_labels(ImDrawList& list, Frame& frame, const Grid& grid, const CellLayout& layout);

// The colour bar with its range; a click locks or unlocks it.
void draw_range(ImDrawList& list, Frame& frame, const Grid& grid, const CellLayout& layout);

// The field of a number being typed, with its error. Enter, Tab and Esc end it. Whether there was
// one: its keys are not the cells'.
bool draw_entry(Frame& frame, const Grid& grid, const CellLayout& layout);
// Opens it on the selection. `text`: what was typed; empty: the number that is there, to be replaced.
void start_entry(Frame& frame, const Grid& grid, const std::string& text);
// Takes what is being typed, as a click elsewhere does. False: it is no number yet, and stays.
bool finish_entry(Frame& frame);

// The item over all cells: hover, click, scrub, select.
void cell_mouse(Frame& frame, const Grid& grid, const CellLayout& layout);
// Keys of the grid that has the focus. Call behind cell_mouse: the item is its.
void cell_keys(Frame& frame, const Grid& grid);

// Weight on a key that the mask hides, where no number in its cell says it: a ring around the largest, its
// number and how many there are; pressed, it is pinned.
void draw_leak(ImDrawList& list, Frame& frame, const Grid& grid, const CellLayout& layout);

// Outlines of the numbers that changed since results were pinned.
void draw_changes(ImDrawList& list, const Frame& frame, const Grid& grid, const CellLayout& layout);

void draw_menu(Frame& frame, const Grid& grid);
// The block that is to be pasted, previewed.
void draw_paste(Frame& frame, const Grid& grid, const CellLayout& layout);
void draw_tooltip(const Frame& frame, const Grid& grid, const CellLayout& layout);

// Runs an edit of the draft; an error becomes the message of the status line.
void try_edit(Frame& frame, const std::function<void()>& edit);

// Selects one cell (nothing typed, no block).
void select_cell(View& view, const Grid& grid, Cell cell);

void toggle_lock(View& view, const Grid& grid);
bool is_locked(const View& view, const std::string& stage);

}  // namespace attn
