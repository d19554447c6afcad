// The cells whose number is another one than when a person pinned the results.
#include <algorithm>
#include <cmath>

#include "app/cells/cell_parts.h"
#include "app/frame/before.h"

namespace attn {
namespace {

constexpr float kLegibleCell = 3;          // points of a cell that can be told from its neighbours
constexpr std::size_t kMostRuns = 20'000;  // that are outlined in a frame
constexpr float kCoarserPlaces = 5;        // times as large as these are places where there are more

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

// Of some rows together, those that are no more than `gap` columns apart as one.
Runs joined_runs(const StageChange& change, Cell begin, std::size_t row_end, std::size_t gap) {
  const auto place = [](const ChangedRun& r) { return std::pair(r.head, r.row); };
  const auto first = std::ranges::lower_bound(change.runs, std::pair(begin.head, begin.row), {}, place);
  const auto last = std::ranges::lower_bound(change.runs, std::pair(begin.head, row_end), {}, place);
  Runs all, joined;
  for (auto it = first; it != last; ++it) all.push_back({it->begin, it->end});
  std::ranges::sort(all, {}, &Run::begin);
  for (const Run& run : all)
    if (joined.empty() || run.begin > joined.back().end + gap)
      joined.push_back(run);
    else
      joined.back().end = std::max(joined.back().end, run.end);
  return joined;
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

// Bands of so many rows each, one below the other from the first on.
struct Bands {
  std::size_t first, rows;
  std::vector<Runs> runs = {};
};

// One line around all runs, on the neighbouring cells; what is inside stays free of lines.
void outline_runs(ImDrawList& list, const Theme& theme, const Grid& grid, const CellLayout& l,
                  const Bands& bands) {
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
  const auto y = [&](std::size_t band) {
    const std::size_t row = std::min(bands.first + band * bands.rows, l.rows);
    return std::round(l.cells.min.y + l.pitch.y * static_cast<float>(row));
  };
  for (std::size_t i = 0; i <= bands.runs.size(); ++i) {
    const Runs& above = i > 0 ? bands.runs[i - 1] : none;
    const Runs& here = i < bands.runs.size() ? bands.runs[i] : none;
    visit_outside(here, above, across(y(i) - line));
    visit_outside(above, here, across(y(i)));
    for (const Run& run : here) {
      list.AddRectFilled({x(run.begin) - line, y(i)}, {x(run.begin), y(i + 1)}, ink);
      list.AddRectFilled({x(run.end), y(i)}, {x(run.end) + line, y(i + 1)}, ink);
    }
  }
}

// The cells in sight and one more on each side: the line around a region goes on where the region does.
CellRange cells_in_sight(const ImDrawList& list, const CellLayout& l) {
  const CellRange seen = visible_cells(l, {list.GetClipRectMin(), list.GetClipRectMax()});
  const auto before = [](std::size_t i) { return i - std::min<std::size_t>(1, i); };
  return {before(seen.row), std::min(seen.row_end + 1, l.rows), before(seen.column),
          std::min(seen.column_end + 1, l.columns)};
}

// Where cells can be told from their neighbours: those that changed.
Bands bands_of_cells(const CellRange& seen, std::size_t head, const Tensor& then, const Tensor& now) {
  Bands bands{seen.row, 1};
  for (std::size_t row = seen.row; row < seen.row_end; ++row)
    bands.runs.push_back(changed_runs(then, now, {head, row, seen.column}, seen.column_end));
  return bands;
}

// Where they cannot: places of about so many pixels that hold one.
Bands bands_of_places(const CellRange& seen, std::size_t head, const CellLayout& l, const StageChange& change,
                      float pixels) {
  const auto rows = static_cast<std::size_t>(std::ceil(pixels / l.pitch.y)),
             gap = static_cast<std::size_t>(pixels / l.pitch.x);
  Bands bands{seen.row / rows * rows, rows};
  for (std::size_t row = bands.first; row < seen.row_end; row += rows)
    bands.runs.push_back(joined_runs(change, {head, row, 0}, row + rows, gap));
  return bands;
}

void outline_texture(ImDrawList& list, const Theme& theme, const Grid& grid, const CellLayout& l,
                     const StageChange& change, const Tensor& then, const Tensor& now) {
  const CellRange seen = cells_in_sight(list, l);
  const float told = theme.px(kLegibleCell);
  const bool each = std::min(l.pitch.x, l.pitch.y) >= told;
  Bands bands =
      each ? bands_of_cells(seen, grid.head, then, now) : bands_of_places(seen, grid.head, l, change, told);
  std::size_t count = 0;
  for (const Runs& runs : bands.runs) count += runs.size();
  if (count > kMostRuns) bands = bands_of_places(seen, grid.head, l, change, kCoarserPlaces * told);
  outline_runs(list, theme, grid, l, bands);
}

}  // namespace

void draw_changes(ImDrawList& list, const Frame& frame, const Grid& grid, const CellLayout& l) {
  const StageChange* change = change_of(frame, grid.stage);
  if (!change || change->count == 0) return;
  const Theme& theme = frame.theme;
  const StageResult result = frame.results->result(grid.stage);
  const StageResult before = result_before(frame, grid.stage, result.shape());
  if (!before.here() || grid.values.shape() != before.shape()) return;
  const Tensor &now = result.whole(), &then = before.whole();
  if (l.texture) return outline_texture(list, theme, grid, l, *change, then, now);
  for (std::size_t row = 0; row < l.rows; ++row)
    for (std::size_t column = 0; column < l.columns; ++column) {
      const Cell cell{grid.head, row, column};
      if (!is_changed(then[cell], now[cell])) continue;
      draw_outline(list, theme, l.cell(row, column), grid.opacity);
    }
}

}  // namespace attn
