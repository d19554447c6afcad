// A matrix as large as its area, and outlines of its rows.
#include "app/canvas/fitted_grid.h"

#include <algorithm>
#include <cmath>

#include "app/canvas/blocks.h"
#include "app/canvas/steps.h"
#include "app/theme/toolkit.h"

namespace attn {
namespace {

constexpr float kMeasured = 400;  // a cell wider than any title

}  // namespace

Grid fitted_grid(const Frame& frame, StageIndex index, std::size_t head, Rect area, std::size_t rows,
                 bool labelled) {
  Grid grid = matrix_block(frame, index, head).grid;
  grid.position = area.min;
  grid.row_labels = labelled;
  grid.opacity = stage_opacity(frame, index);
  fit_cells(frame, grid, area, rows);
  return grid;
}

// Measured as blocks of a canvas are: with cells so wide that they, not the title, set the width.
void fit_cells(const Frame& frame, Grid& grid, Rect area, std::size_t rows) {
  const Theme& theme = frame.theme;
  grid.cell_width = kMeasured, grid.cell_height = Grid().cell_height;
  const ImVec2 wide = grid_size(grid, frame);
  const float columns = static_cast<float>(std::max<std::size_t>(1, grid.shape.columns));
  const float fixed_x = wide.x - std::round(theme.px(kMeasured)) * columns;
  const float fixed_y = wide.y - std::round(theme.px(grid.cell_height)) * static_cast<float>(grid.shape.rows);
  const auto pitch = [&](float room, float count) {
    const float cell = std::max(0.05f, room / count);
    return (cell >= 8 ? std::floor(cell) : cell) / theme.px(1);
  };
  grid.cell_width = pitch(area.width() - fixed_x, columns);
  grid.cell_height = pitch(area.height() - fixed_y, static_cast<float>(std::max(rows, grid.shape.rows)));
}

Rect row_rect(const Frame& frame, const Grid& grid, std::size_t row) {
  const Rect first = cell_rect(grid, frame, row, 0);
  return {first.min, cell_rect(grid, frame, row, grid.shape.columns - 1).max};
}

void outline_row(const Theme& theme, Rect row, ImU32 colour, const char* name) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float least = theme.px(4), middle = (row.min.y + row.max.y) / 2;
  if (row.height() < least) row.min.y = middle - least / 2, row.max.y = middle + least / 2;
  list.AddRect(row.min, row.max, colour, theme.px(1), 0, theme.px(1.5f));
  const ImFont* font = theme.fonts.small;
  draw_text(list, font, {row.max.x + theme.px(5), middle - font_size(font) / 2}, colour, name);
}

}  // namespace attn
