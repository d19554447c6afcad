// The cells whose number is another one than when a person pinned the results.
#include <algorithm>
#include <cmath>

#include "app/before.h"
#include "app/widgets/cell_parts.h"

namespace attn {
namespace {

constexpr float kInset = 1.5f;  // points: clear of the outlines of links

Rect inside(const Theme& theme, Rect box) {
  const float by = std::min({theme.px(kInset), box.width() / 4, box.height() / 4});
  return {{box.min.x + by, box.min.y + by}, {box.max.x - by, box.max.y - by}};
}

// Cells too small to be told apart: a veil over each run of rows that changed in the same columns.
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
      list.AddRect(min, max, with_alpha(theme.warning, 0.8f * grid.opacity), 0, 0, 1);
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
  const float line = std::max(1.0f, std::floor(theme.px(1)));
  for (std::size_t row = 0; row < l.rows; ++row)
    for (std::size_t column = 0; column < l.columns; ++column) {
      const Cell cell{grid.head, row, column};
      if (!is_changed(then[cell], now[cell])) continue;
      const Rect box = inside(theme, l.cell(row, column));
      list.AddRect(box.min, box.max, with_alpha(theme.warning, grid.opacity), theme.px(2), 0, line);
    }
}

}  // namespace attn
