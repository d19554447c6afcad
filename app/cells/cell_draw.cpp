// The cells themselves: colours, patterns and numbers, or one texture.
#include "app/cells/cell_draw.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/frame/lit.h"
#include "app/render/textures.h"
#include "app/theme/toolkit.h"
#include "app/widgets/words.h"
#include "core/operations/matmul.h"

namespace attn {
namespace {

constexpr std::size_t kMostRounded = 144;  // cells: round corners cost seven times the vertices
constexpr float kLeastRounded = 6;         // radii: the corners of smaller cells are hardly seen
constexpr float kHatch = 7, kChecker = 5, kArrow = 5;

struct Brush {
  ImDrawList& list;
  const Theme& theme;
  const Grid& grid;
  const CellLayout& layout;
  NumberStyle numbers;
  float opacity;  // of the cell that is drawn

  ImU32 faded(ImU32 colour) const { return with_alpha(colour, opacity); }
};

// A masked cell carries its number: another layer's does, and a gradient, which need not be 0 there.
bool tells_masked(const Grid& grid) {
  return grid.compared != Grid::alone || grid.role == Role::gradient;
}

// What a mask hides, and what one layer's mask alone makes infinite of a difference.
bool is_hatched(const Grid& grid, Cell cell) {
  return is_masked(grid, cell) || (grid.compared != Grid::alone && std::isinf(grid.values[cell]));
}

ImU32 background_of(const Brush& b, Cell cell) {
  const float value = b.grid.values[cell];
  if (is_hatched(b.grid, cell)) return b.theme.masked;
  if (std::isnan(value)) return b.theme.cell_zero;
  const float bounded = std::isinf(value) ? std::copysign(b.grid.map.range, value) : value;
  return map_colour(b.theme, b.grid.map, bounded);
}

// ∞ as an arrow that leaves the range upwards, −∞ downwards.
void draw_arrow(const Brush& b, Rect cell, float value, ImU32 ink) {
  const float size = std::min({b.theme.px(kArrow), cell.width() * 0.3f, cell.height() * 0.3f});
  const float up = value > 0 ? -size : size;
  const ImVec2 c{(cell.min.x + cell.max.x) / 2, (cell.min.y + cell.max.y) / 2};
  b.list.AddTriangleFilled({c.x - size, c.y - up / 2}, {c.x + size, c.y - up / 2}, {c.x, c.y + up}, ink);
}

void draw_text_of(const Brush& b, Cell cell, Rect box, ImU32 background) {
  const float value = b.grid.values[cell];
  FittedText text = fitted_number(b.numbers, value);
  ImU32 ink = b.faded(ink_on(mix(b.theme.canvas, background, b.opacity)));  // of what is seen
  const bool leak = b.grid.role == Role::weights && value != 0;
  if (tells_masked(b.grid) && is_hatched(b.grid, cell) && !leak && b.numbers.font) {
    ink = b.faded(b.theme.dim);
    if (b.grid.compared == Grid::difference && is_masked(b.grid, cell))
      text = {"–", b.numbers.font, text_width(b.numbers.font, "–")};
  }
  if (text.text.empty()) {
    if (std::isinf(value) && !is_hatched(b.grid, cell)) draw_arrow(b, box, value, ink);
    return;
  }
  const ImVec2 at{box.min.x + (box.width() - text.width) / 2,
                  box.min.y + (box.height() - font_size(text.font)) / 2};
  draw_text(b.list, text.font, {std::round(at.x), std::round(at.y)}, ink, text.text);
}

// A third of the triangles of Dear ImGui's round rectangles, which are most of a frame's time on a processor.
void draw_rounded(ImDrawList& list, Rect box, const Corner& corner, ImU32 colour) {
  const float r = corner.radius;
  if (r == 0 || std::min(box.width(), box.height()) < kLeastRounded * r)
    return list.AddRectFilled(box.min, box.max, colour);
  constexpr int kRectangles = 7;  // a quarter of the disc at each corner, three strips between them
  list.PrimReserve(6 * kRectangles, 4 * kRectangles);
  const ImVec2 uv{(corner.uv_min.x + corner.uv_max.x) / 2, (corner.uv_min.y + corner.uv_max.y) / 2};
  const auto quarter = [&](float x, float y, ImVec2 from, ImVec2 to) {
    list.PrimRectUV({x, y}, {x + r, y + r}, from, to, colour);
  };
  const float left = box.min.x, top = box.min.y, right = box.max.x - r, bottom = box.max.y - r;
  quarter(left, top, corner.uv_min, uv);
  quarter(right, top, {uv.x, corner.uv_min.y}, {corner.uv_max.x, uv.y});
  quarter(left, bottom, {corner.uv_min.x, uv.y}, {uv.x, corner.uv_max.y});
  quarter(right, bottom, uv, corner.uv_max);
  list.PrimRect({left, top + r}, {left + r, bottom}, colour);
  list.PrimRect({left + r, top}, {right, box.max.y}, colour);
  list.PrimRect({right, top + r}, {box.max.x, bottom}, colour);
}

constexpr float kOfBefore = 0.4f;  // opacity of what an edit has changed since

void draw_cell(const Brush& b, Cell cell) {
  if (!b.grid.values.holds(cell)) return;  // of a large stage: its picture is all there is
  const Rect box = b.layout.cell(cell.row, cell.column);
  const ImU32 background = background_of(b, cell);
  const bool masked = is_hatched(b.grid, cell), nan = std::isnan(b.grid.values[cell]);
  if (!b.layout.texture) {
    const bool rounded = b.layout.rows * b.layout.columns <= kMostRounded;
    draw_rounded(b.list, box, rounded ? b.theme.fonts.corner : Corner(), b.faded(background));
    if (masked) draw_hatch(b.list, box, b.faded(b.theme.hatch), b.theme.px(kHatch));
    if (nan && !masked)
      draw_checker(b.list, box, b.faded(with_alpha(b.theme.bad, 0.45f)), b.theme.px(kChecker));
  }
  // A weight that the mask should have taken away is never hidden by it.
  const bool leak = b.grid.role == Role::weights && b.grid.values[cell] != 0;
  if (!masked || leak || tells_masked(b.grid)) draw_text_of(b, cell, box, background);
}

void draw_picture(Frame& frame, const Brush& b, float opacity) {
  frame.textures.draw(b.list, b.layout.cells.min, b.layout.cells.max,
                      {.values = b.grid.values.here_or_there(),
                       .mask = b.grid.mask.here_or_there(),
                       .shape = b.grid.shape,
                       .pools = b.grid.summary.pools,
                       .head = b.grid.head,
                       .map = b.grid.map,
                       .opacity = b.grid.opacity * opacity},
                      frame.theme);
}

// Rows that have not been made anew yet are dimmed.
void draw_texture(Frame& frame, const Brush& b) {
  const std::size_t of_before = b.grid.summary.of_before;
  if (of_before >= b.layout.rows) return draw_picture(frame, b, 1);
  const Rect& cells = b.layout.cells;
  const float from =
      cells.min.y + cells.height() * static_cast<float>(of_before) / static_cast<float>(b.layout.rows);
  b.list.PushClipRect(cells.min, {cells.max.x, from}, true);
  draw_picture(frame, b, 1);
  b.list.PopClipRect();
  b.list.PushClipRect({cells.min.x, from}, cells.max, true);
  draw_picture(frame, b, kOfBefore);
  b.list.PopClipRect();
}

}  // namespace

bool is_masked(const Grid& grid, Cell cell) {
  if (grid.mask.kept() == Kept::not_kept) return false;
  const std::size_t stack = grid.values.stack();
  const std::size_t s =
      stack % grid.mask.stack() == 0 ? shared_matrix(cell.head, grid.mask.stack(), stack) : 0;
  const Cell place{s, cell.row, cell.column};
  return grid.mask.holds(place) && grid.mask[place] != 0;
}

void draw_hatch(ImDrawList& list, Rect cell, ImU32 colour, float spacing) {
  const float w = cell.width(), h = cell.height(), wide = spacing * 0.45f;
  // A line falling to the right at distance s from the lower left corner starts at the left or upper edge …
  const auto start = [&](float s) {
    return s <= h ? ImVec2(cell.min.x, cell.max.y - s) : ImVec2(cell.min.x + s - h, cell.min.y);
  };
  // … and ends at the lower or right edge.
  const auto end = [&](float s) {
    return s <= w ? ImVec2(cell.min.x + s, cell.max.y) : ImVec2(cell.max.x, cell.max.y - (s - w));
  };
  for (float s = spacing / 2; s < w + h; s += spacing) {
    const float t = std::min(s + wide, w + h);
    list.PathLineTo(start(s));
    if (s < h && h < t) list.PathLineTo(cell.min);
    list.PathLineTo(start(t));
    list.PathLineTo(end(t));
    if (s < w && w < t) list.PathLineTo(cell.max);
    list.PathLineTo(end(s));
    list.PathFillConvex(colour);
  }
}

void draw_checker(ImDrawList& list, Rect cell, ImU32 colour, float size) {
  bool odd = false;
  for (float y = cell.min.y; y < cell.max.y; y += size, odd = !odd) {
    bool filled = odd;
    for (float x = cell.min.x; x < cell.max.x; x += size, filled = !filled)
      if (filled)
        list.AddRectFilled({x, y}, {std::min(x + size, cell.max.x), std::min(y + size, cell.max.y)}, colour);
  }
}

void draw_cells(ImDrawList& list, Frame& frame, const Grid& grid, const CellLayout& layout) {
  Brush brush{list, frame.theme, grid, layout, number_style(layout, grid, frame.theme), grid.opacity};
  const Lit& lit = std::as_const(frame.view).of<Lit>();
  const bool partly = lights_in_part(lit, grid.stage);
  if (layout.texture) draw_texture(frame, brush);
  if (layout.texture && !brush.numbers.font) return;
  const ImVec2 min = list.GetClipRectMin(), max = list.GetClipRectMax();
  const CellRange seen = visible_cells(layout, {min, max});
  for (std::size_t row = seen.row; row < seen.row_end; ++row)
    for (std::size_t column = seen.column; column < seen.column_end; ++column) {
      const Cell cell{grid.head, row, column};
      if (partly) brush.opacity = grid.opacity * (lights(lit, grid.stage, cell) ? 1 : kUnlit);
      draw_cell(brush, cell);
    }
}

}  // namespace attn
