// Outlines, rings, selections and corners over the cells. Of a cell they take no more than the margin that
// its number keeps clear of (kCellMargin): a minus sign is never under them.
#include "app/cells/cell_marks.h"

#include <algorithm>
#include <cmath>

#include "app/frame/workspace.h"
#include "core/attention/heads.h"

namespace attn {
namespace {

constexpr float kRounding = 2, kCorner = 9, kLeastCorner = 1;

// The rectangle of a block of cells, clipped to the matrix; the drawn part of the cells, without the last
// gap.
Rect block_rect(const CellLayout& l, const Region& r) {
  const std::size_t row = std::min(r.end.row, l.rows), column = std::min(r.end.column, l.columns);
  const Rect first = l.cell(r.begin.row, r.begin.column), last = l.cell(row - 1, column - 1);
  return {first.min, last.max};
}

bool shows(const Grid& grid, const CellLayout& l, const Region& r) {
  return r.begin.head <= grid.head && grid.head < r.end.head && r.begin.row < l.rows &&
         r.begin.column < l.columns && r.begin.row < r.end.row && r.begin.column < r.end.column;
}

// Inside of the rectangle; Dear ImGui draws half a pixel inside by itself.
void outline(ImDrawList& list, Rect r, ImU32 colour, float rounding, float thickness) {
  const float inset = (thickness - 1) / 2;
  list.AddRect({r.min.x + inset, r.min.y + inset}, {r.max.x - inset, r.max.y - inset}, colour, rounding, 0,
               thickness);
}

Rect grown(Rect r, float by) {
  return {{r.min.x - by, r.min.y - by}, {r.max.x + by, r.max.y + by}};
}

// Neighbouring cells of one row, or rows with the same columns, as one region each.
std::vector<Region> merged(std::vector<Cell> cells) {
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  std::vector<Region> regions;
  for (const Cell& c : cells) {
    if (!regions.empty() && regions.back().begin.row == c.row && regions.back().end.column == c.column)
      ++regions.back().end.column;
    else
      regions.push_back({c, {c.head + 1, c.row + 1, c.column + 1}});
  }
  std::vector<Region> stacked;
  for (const Region& r : regions) {
    const auto above = std::find_if(stacked.begin(), stacked.end(), [&](const Region& s) {
      return s.end.row == r.begin.row && s.begin.column == r.begin.column && s.end.column == r.end.column;
    });
    above == stacked.end() ? stacked.push_back(r) : void(above->end.row = r.end.row);
  }
  return stacked;
}

void draw_links(ImDrawList& list, const Frame& frame, const Grid& grid, const CellLayout& l) {
  const Theme& theme = frame.theme;
  const float rounding = theme.px(kRounding), thickness = cell_line(theme);
  if (const auto targets = frame.links.targets.find(grid.stage); targets != frame.links.targets.end())
    for (const Region& region : targets->second)
      if (shows(grid, l, region))
        outline(list, block_rect(l, region), grid.role == Role::gradient ? theme.accent : theme.outline_soft,
                rounding, thickness);
  const auto sources = frame.links.sources.find(grid.stage);
  if (sources == frame.links.sources.end()) return;
  std::vector<Cell> cells;
  for (const Cell& c : sources->second)
    if (c.head == grid.head && c.row < l.rows && c.column < l.columns) cells.push_back(c);
  // Thousands of cells of a large matrix would be thousands of outlines too small to tell apart.
  if (l.texture) {
    for (const Region& region : merged(std::move(cells)))
      outline(list, block_rect(l, region), theme.outline, rounding, thickness);
    return;
  }
  for (const Cell& c : cells) outline(list, l.cell(c.row, c.column), theme.outline, rounding, thickness);
}

bool is_here(const Grid& grid, const CellLayout& l, const Spot& spot) {
  return spot.stage == grid.stage && spot.cell.head == grid.head && spot.cell.row < l.rows &&
         spot.cell.column < l.columns;
}

void draw_ring(ImDrawList& list, const Frame& frame, const CellLayout& l, Cell cell, bool pinned) {
  const Theme& theme = frame.theme;
  Rect box = l.cell(cell.row, cell.column);
  const float least = theme.px(6), line = cell_line(theme);
  if (box.width() < least) box.max.x = box.min.x + least;  // cells of a pixel still show where they are
  if (box.height() < least) box.max.y = box.min.y + least;
  box = grown(box, line);
  if (pinned) outline(list, grown(box, line), theme.canvas, theme.px(kRounding + 1), line);
  outline(list, box, theme.outline, theme.px(kRounding + 1), 2 * line);
}

void draw_selection(ImDrawList& list, const Frame& frame, const Grid& grid, const CellLayout& l) {
  const Selection* selection = selection_on(grid, frame.view);
  if (!selection || frame.view.grid.typing || frame.view.grid.renaming) return;
  const Region block = block_of(*selection);
  if (!shows(grid, l, block)) return;
  const Theme& theme = frame.theme;
  const Rect box = block_rect(l, block);
  const bool many = !(selection->anchor.cell == selection->cursor);
  if (many) list.AddRectFilled(box.min, box.max, with_alpha(theme.accent, 0.18f), theme.px(kRounding));
  outline(list, grown(box, cell_line(theme)), theme.accent, theme.px(kRounding), theme.px(1.5f));
}

void draw_corner(ImDrawList& list, Rect box, float size, ImU32 colour) {
  list.AddTriangleFilled({box.max.x - size, box.min.y}, {box.max.x, box.min.y}, {box.max.x, box.min.y + size},
                         colour);
}

// The corner of an overridden cell, apart from the cell's own colour by a dark (or light) edge.
void draw_overrides(ImDrawList& list, const Frame& frame, const Grid& grid, const CellLayout& l) {
  const Theme& theme = frame.theme;
  const float size = std::min(theme.px(kCorner), l.pitch.x / 2);
  if (size < theme.px(kLeastCorner)) return;
  for (const StageOverride& o : frame.draft.overrides) {
    const Cell c = o.value.cell;
    if (!belongs_to(o, frame.workspace) || !is_over(o, grid.stage) || c.head != grid.head ||
        c.row >= l.rows || c.column >= l.columns)
      continue;
    const Rect box = l.cell(c.row, c.column);
    draw_corner(list, box, size + theme.px(2.5f), with_alpha(theme.canvas, grid.opacity));
    draw_corner(list, box, size, with_alpha(theme.warning, grid.opacity));
  }
}

// Of a projection: the columns of the head that is shown large.
void draw_head_band(ImDrawList& list, const Frame& frame, const Grid& grid, const CellLayout& l) {
  const auto stage = frame.graph.find(grid.stage);
  const std::size_t head = frame.view.layer.head;
  const auto columns = stage ? columns_of_head(frame.graph, *stage, head) : std::nullopt;
  if (!columns || l.rows == 0 || columns->end > l.columns) return;
  const Rect band = block_rect(l, {{0, 0, columns->begin}, {1, l.rows, columns->end}});
  outline(list, grown(band, frame.theme.px(2)), with_alpha(series_colour(head), grid.opacity),
          frame.theme.px(kRounding), frame.theme.px(2));
}

// The cells that a pasted block would take.
void draw_paste_target(ImDrawList& list, const Frame& frame, const Grid& grid, const CellLayout& l) {
  const auto& pasting = frame.view.grid.pasting;
  if (!pasting || pasting->at.stage != grid.stage || pasting->block.matrix.values.empty()) return;
  const Cell at = pasting->at.cell;
  const Region target{
      at, {at.head + 1, at.row + pasting->block.matrix.rows, at.column + pasting->block.matrix.columns}};
  if (!shows(grid, l, target)) return;
  const Rect box = block_rect(l, target);
  list.AddRectFilled(box.min, box.max, with_alpha(frame.theme.good, 0.2f), frame.theme.px(kRounding));
  const float line = cell_line(frame.theme);
  outline(list, grown(box, line), frame.theme.good, frame.theme.px(kRounding), 2 * line);
}

// Cells that a brush has passed, before they are painted.
void draw_stroke(ImDrawList& list, const Frame& frame, const Grid& grid, const CellLayout& l) {
  const auto& drag = frame.view.grid.drag;
  if (!drag || drag->kind != Drag::paint || drag->from.stage != grid.stage) return;
  for (const Cell& cell : drag->stroke) {
    const Rect box = l.cell(cell.row, cell.column);
    list.AddRectFilled(box.min, box.max, with_alpha(frame.theme.accent, 0.5f));
  }
}

}  // namespace

float cell_line(const Theme& theme) {
  return std::max(1.0f, std::floor(theme.px(kCellMargin)));
}

Region block_of(const Selection& s) {
  const Cell a = s.anchor.cell, b = s.cursor;
  return {{a.head, std::min(a.row, b.row), std::min(a.column, b.column)},
          {a.head + 1, std::max(a.row, b.row) + 1, std::max(a.column, b.column) + 1}};
}

Region block_or_whole(const Selection* selection, std::size_t head, const Shape& shape) {
  if (selection && !(selection->anchor.cell == selection->cursor)) return block_of(*selection);
  return {{head, 0, 0}, {head + 1, shape.rows, shape.columns}};
}

const Selection* selection_on(const Grid& grid, const View& view) {
  const auto& s = view.grid.selection;
  return s && s->anchor.stage == grid.stage && s->anchor.cell.head == grid.head ? &*s : nullptr;
}

void draw_marks(ImDrawList& list, const Frame& frame, const Grid& grid, const CellLayout& l) {
  draw_head_band(list, frame, grid, l);
  draw_overrides(list, frame, grid, l);
  draw_links(list, frame, grid, l);
  draw_paste_target(list, frame, grid, l);
  draw_selection(list, frame, grid, l);
  draw_stroke(list, frame, grid, l);
  const View& view = frame.view;
  if (view.hovered && is_here(grid, l, *view.hovered) && !(view.pinned == view.hovered) && !view.grid.typing)
    draw_ring(list, frame, l, view.hovered->cell, false);
  const bool covered =
      view.grid.typing && view.grid.selection && view.pinned == Spot{grid.stage, view.grid.selection->cursor};
  if (view.pinned && !covered && is_here(grid, l, *view.pinned))
    draw_ring(list, frame, l, view.pinned->cell, true);
}

}  // namespace attn
