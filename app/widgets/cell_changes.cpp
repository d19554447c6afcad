// The cells whose number is another one than when a person pinned the results.
#include <algorithm>
#include <cmath>

#include "app/before.h"
#include "app/widgets/cell_parts.h"

namespace attn {
namespace {

// In the gap around the cell, apart from the cell's own colour by a dark (or light) line on its edge.
void draw_outline(ImDrawList& list, const Theme& theme, Rect box, float opacity) {
  const float line = std::max(1.0f, std::floor(theme.px(kCellMargin))), half = (line - 1) / 2;
  list.AddRect({box.min.x + half, box.min.y + half}, {box.max.x - half, box.max.y - half},
               with_alpha(theme.canvas, opacity), theme.px(2), 0, line);
  list.AddRect({box.min.x - line + half, box.min.y - line + half},
               {box.max.x + line - half, box.max.y + line - half}, with_alpha(theme.warning, opacity),
               theme.px(3), 0, line);
}

// Cells too small to be told apart: one outline around each run of rows that changed in the same columns.
void draw_runs(ImDrawList& list, const Theme& theme, const Grid& grid, const CellLayout& l,
               const StageChange& change) {
  const auto& rows = change.rows;
  for (std::size_t i = 0; i < rows.size();) {
    std::size_t end = i + 1;
    while (end < rows.size() && rows[end].head == rows[i].head && rows[end].row == rows[end - 1].row + 1 &&
           rows[end].begin == rows[i].begin && rows[end].end == rows[i].end)
      ++end;
    if (rows[i].head == grid.head && rows[end - 1].row < l.rows && rows[i].end <= l.columns) {
      const ImVec2 min = l.cell(rows[i].row, rows[i].begin).min;
      const ImVec2 max = l.cell(rows[end - 1].row, rows[i].end - 1).max;
      draw_outline(list, theme, {min, max}, grid.opacity);
    }
    i = end;
  }
}

}  // namespace

void draw_changes(ImDrawList& list, const Frame& frame, const Grid& grid, const CellLayout& l) {
  const StageChange* change = change_of(frame, grid.stage);
  if (!change || change->count == 0) return;
  const Theme& theme = frame.theme;
  if (l.texture) return draw_runs(list, theme, grid, l, *change);
  const Tensor now = frame.results->output(grid.stage);
  const Tensor then = values_before(frame, grid.stage, now.shape());
  if (then.empty() || grid.values.shape() != then.shape()) return;
  for (std::size_t row = 0; row < l.rows; ++row)
    for (std::size_t column = 0; column < l.columns; ++column) {
      const Cell cell{grid.head, row, column};
      if (!is_changed(then[cell], now[cell])) continue;
      draw_outline(list, theme, l.cell(row, column), grid.opacity);
    }
}

}  // namespace attn
