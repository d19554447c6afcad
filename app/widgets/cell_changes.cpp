// The cells whose number is another one than when a person pinned the results.
#include <algorithm>
#include <cmath>

#include "app/before.h"
#include "app/widgets/cell_parts.h"

namespace attn {
namespace {

constexpr float kTold = 3;                 // points of a cell that can be told from its neighbours
constexpr std::size_t kMostRuns = 20'000;  // that are outlined one by one

// In the gap around the cell, apart from the cell's own colour by a dark (or light) line on its edge.
void draw_outline(ImDrawList& list, const Theme& theme, Rect box, float opacity) {
  const float line = cell_line(theme), half = (line - 1) / 2;
  list.AddRect({box.min.x + half, box.min.y + half}, {box.max.x - half, box.max.y - half},
               with_alpha(theme.canvas, opacity), theme.px(2), 0, line);
  list.AddRect({box.min.x - line + half, box.min.y - line + half},
               {box.max.x + line - half, box.max.y + line - half}, with_alpha(theme.warning, opacity),
               theme.px(3), 0, line);
}

// Columns of one row that changed: runs, half-open, ascending.
struct Run {
  std::size_t begin, end;
};
using Runs = std::vector<Run>;

// The cells of a row from `begin` on that are other numbers than before.
Runs changed_runs(const Tensor& then, const Tensor& now, Cell begin, std::size_t end) {
  const std::span<const float> a = then.values(), b = now.values();
  const std::size_t row = now.index({begin.head, begin.row, 0});
  Runs runs;
  for (std::size_t column = begin.column; column < end; ++column) {
    if (!is_changed(a[row + column], b[row + column])) continue;
    if (!runs.empty() && runs.back().end == column)
      ++runs.back().end;
    else
      runs.push_back({column, column + 1});
  }
  return runs;
}

// From the first cell of a row that changed to the last.
Runs spanned_run(const StageChange& change, std::size_t head, std::size_t row) {
  const auto found = std::ranges::lower_bound(change.rows, std::pair(head, row), {},
                                              [](const ChangedRow& r) { return std::pair(r.head, r.row); });
  const bool there = found != change.rows.end() && found->head == head && found->row == row;
  return there ? Runs{{found->begin, found->end}} : Runs{};
}

// Calls visit(begin, end, run) for each part of the runs that lies outside of the others.
template <class Visit>
void visit_outside(const Runs& runs, const Runs& others, Visit visit) {
  std::size_t first = 0;
  for (const Run& run : runs) {
    while (first < others.size() && others[first].end <= run.begin) ++first;
    std::size_t at = run.begin;
    for (std::size_t i = first; i < others.size() && others[i].begin < run.end; ++i) {
      if (others[i].begin > at) visit(at, others[i].begin, run);
      at = others[i].end;
    }
    if (at < run.end) visit(at, run.end, run);
  }
}

// One line around all runs of consecutive rows, on the cells beside them; what is inside stays free of lines.
void outline_runs(ImDrawList& list, const Theme& theme, const Grid& grid, const CellLayout& l,
                  std::size_t first_row, const std::vector<Runs>& rows) {
  const float line = cell_line(theme);
  const ImU32 ink = with_alpha(theme.warning, grid.opacity);
  const auto x = [&](std::size_t column) {
    return std::round(l.cells.min.x + l.pitch.x * static_cast<float>(column));
  };
  // Where a run ends the line goes on around its corner.
  const auto across = [&](float y) {
    return [&, y](std::size_t begin, std::size_t end, const Run& run) {
      list.AddRectFilled({x(begin) - (begin == run.begin ? line : 0), y},
                         {x(end) + (end == run.end ? line : 0), y + line}, ink);
    };
  };
  const Runs none;
  for (std::size_t i = 0; i <= rows.size(); ++i) {
    const Runs &above = i > 0 ? rows[i - 1] : none, &here = i < rows.size() ? rows[i] : none;
    const auto y = [&](std::size_t row) {
      return std::round(l.cells.min.y + l.pitch.y * static_cast<float>(first_row + row));
    };
    visit_outside(here, above, across(y(i) - line));
    visit_outside(above, here, across(y(i)));
    for (const Run& run : here) {
      list.AddRectFilled({x(run.begin) - line, y(i)}, {x(run.begin), y(i + 1)}, ink);
      list.AddRectFilled({x(run.end), y(i)}, {x(run.end) + line, y(i + 1)}, ink);
    }
  }
}

// Of a texture the cells in sight: each where it can be told from its neighbours, else whole rows of them.
void outline_texture(ImDrawList& list, const Theme& theme, const Grid& grid, const CellLayout& l,
                     const StageChange& change, const Tensor& then, const Tensor& now) {
  const CellRange seen = visible_cells(l, {list.GetClipRectMin(), list.GetClipRectMax()});
  // A cell more on each side: the line around a region goes on where the region does.
  const std::size_t row = seen.row - std::min<std::size_t>(1, seen.row),
                    row_end = std::min(seen.row_end + 1, l.rows),
                    column = seen.column - std::min<std::size_t>(1, seen.column),
                    column_end = std::min(seen.column_end + 1, l.columns);
  std::vector<Runs> rows;
  std::size_t count = 0;
  const bool each = std::min(l.pitch.x, l.pitch.y) >= theme.px(kTold);
  for (std::size_t r = row; each && r < row_end && count <= kMostRuns; ++r) {
    rows.push_back(changed_runs(then, now, {grid.head, r, column}, column_end));
    count += rows.back().size();
  }
  if (!each || count > kMostRuns) {
    rows.clear();
    for (std::size_t r = row; r < row_end; ++r) rows.push_back(spanned_run(change, grid.head, r));
  }
  outline_runs(list, theme, grid, l, row, rows);
}

}  // namespace

void draw_changes(ImDrawList& list, const Frame& frame, const Grid& grid, const CellLayout& l) {
  const StageChange* change = change_of(frame, grid.stage);
  if (!change || change->count == 0) return;
  const Theme& theme = frame.theme;
  const Tensor now = frame.results->output(grid.stage);
  const Tensor then = values_before(frame, grid.stage, now.shape());
  if (then.empty() || grid.values.shape() != then.shape()) return;
  if (l.texture) return outline_texture(list, theme, grid, l, *change, then, now);
  for (std::size_t row = 0; row < l.rows; ++row)
    for (std::size_t column = 0; column < l.columns; ++column) {
      const Cell cell{grid.head, row, column};
      if (!is_changed(then[cell], now[cell])) continue;
      draw_outline(list, theme, l.cell(row, column), grid.opacity);
    }
}

}  // namespace attn
