// Where the parts of a matrix grid lie: pure arithmetic on the grid, the zoom and the fonts.
#pragma once

#include "app/cells/matrix_grid.h"

namespace attn {

inline constexpr float kLabelGap = 7;  // points between the label of a row and its cells

// Pixels. The title stands above the cells' left edge, row labels left of the cells, column labels above.
struct CellLayout {
  Rect whole;     // title to colour bar
  Rect cells;     // all of them, gaps included
  ImVec2 pitch;   // from one cell to the next
  float gap = 0;  // between cells; 0 when they are drawn as one texture
  std::size_t rows = 0, columns = 0;
  float label_width = 0;                // of the row labels, up to the cells
  const ImFont* row_font = nullptr;     // theirs
  float column_label_y = 0, bar_y = 0;  // tops of these lines
  bool bar = true;                      // there is room for the colour bar
  bool texture = false;                 // colours come as one texture
  bool numbers = false;                 // cells may be large enough for text

  Rect cell(std::size_t row, std::size_t column) const;  // without the gap
  Rect row_label(std::size_t row) const;
  Rect column_label(std::size_t column) const;
  // The cell at a point, clamped into the matrix.
  Cell at(ImVec2 point, std::size_t head) const;
};

CellLayout cell_layout(const Grid& grid, const Frame& frame);
// All of it on the canvas, with title, labels and colours and a little around them.
Rect grid_area(const Grid& grid, const Frame& frame);
// Pixels between cells that are drawn one by one.
float cell_gap(const Theme& theme);

// Half-open ranges of the cells that a clip rectangle lets through.
struct CellRange {
  std::size_t row = 0, row_end = 0, column = 0, column_end = 0;
};
CellRange visible_cells(const CellLayout& layout, Rect clip);

// "cat", or its index where there are no labels.
std::string axis_label(const Axis& axis, std::size_t index);

// At scale 1: what a number keeps clear of its cell's edge, and what outlines may take of it.
inline constexpr float kCellMargin = 1;

// Beyond this many rows or columns a matrix is one texture without numbers.
inline constexpr std::size_t kMostCells = 64;
// Rectangles stay cheap up to here; beyond, colours come from a texture.
inline constexpr std::size_t kMostRectangles = 24;

}  // namespace attn
