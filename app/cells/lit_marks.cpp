// Where marks stand: beside the title, where they are of its first columns, else behind their cells.
#include "app/cells/lit_marks.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "app/frame/lit.h"
#include "app/theme/toolkit.h"

namespace attn {
namespace {

constexpr float kRadius = 8, kAway = 5, kOutline = 1.5f;  // points

// Of the cells that are drawn; none: there are none of these.
std::optional<Rect> rect_of(const LessonCells& cells, const Grid& grid, const CellLayout& l) {
  const bool other = cells.stage != grid.stage || (cells.head && *cells.head != grid.head);
  if (other || l.rows == 0 || l.columns == 0 || cells.row.value_or(0) >= l.rows ||
      cells.column.value_or(0) >= l.columns)
    return std::nullopt;
  return Rect{l.cell(cells.row.value_or(0), cells.column.value_or(0)).min,
              l.cell(cells.row.value_or(l.rows - 1), cells.column.value_or(l.columns - 1)).max};
}

void outline_cells(ImDrawList& list, const Theme& theme, Rect box, ImU32 colour) {
  const float out = theme.px(2);
  list.AddRect({box.min.x - out, box.min.y - out}, {box.max.x + out, box.max.y + out}, colour, theme.px(4), 0,
               theme.px(kOutline));
}

}  // namespace

void draw_lit_marks(ImDrawList& list, const Frame& frame, const Grid& grid, const CellLayout& l) {
  const Theme& theme = frame.theme;
  const Lit& lit = std::as_const(frame.view).of<Lit>();
  const float radius = theme.px(kRadius), away = radius + theme.px(kAway);
  bool titled = grid.titled;  // the place beside the title is free
  for (const LessonMark& mark : lit.marks) {
    const auto box = rect_of(mark.at, grid, l);
    if (!box) continue;
    outline_cells(list, theme, *box, mark_colour(theme, mark.number));
    ImVec2 at{box->max.x + away, (box->min.y + box->max.y) / 2};
    if (titled && mark.at.column.value_or(0) == 0) {
      at = {l.cells.min.x - away, l.whole.min.y + font_size(theme.fonts.bold) / 2};
      titled = false;
    }
    // Never beyond the edge of what is drawn in.
    const float left = list.GetClipRectMin().x + radius, right = list.GetClipRectMax().x - radius;
    at.x = std::max(left, std::min(at.x, right));
    draw_mark(list, theme, at, radius, mark.number);
  }
  for (const LessonCells& cells : lit.pointed)
    if (const auto box = rect_of(cells, grid, l)) outline_cells(list, theme, *box, theme.outline);
}

void take_keyboard(Frame& frame, const Grid& grid) {
  Lit& lit = frame.view.of<Lit>();
  if (lit.keyboard != grid.stage) return;
  lit.keyboard.clear();
  lit.holds_keyboard = true;
  focus_next_item();
  show_focus();
}

}  // namespace attn
