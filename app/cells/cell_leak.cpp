// A masked cell with a weight, in a matrix whose cells are too small for numbers: under its hatching, or
// among a million others, nobody would find it.
#include <algorithm>
#include <cmath>

#include "app/cells/cell_parts.h"
#include "app/cells/cell_text.h"
#include "app/theme/toolkit.h"
#include "app/widgets/press.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

constexpr float kLeastRing = 12, kPadding = 5;
constexpr int kDigits = 4;

std::string number_words(float weight) {
  const bool small = std::abs(weight) < 0.001f;
  return small ? scientific(weight, 1) : cell_text(weight, kDigits);
}

// Whether the cell itself has room for it.
bool is_written(const Frame& frame, const Grid& grid, const CellLayout& layout, float weight) {
  const std::string text = fitted_number(number_style(layout, grid, frame.theme), weight).text;
  return !text.empty() && text != kTooLong;
}

// The longest that fits.
std::string label_words(const Grid& grid, const ImFont* font, float room) {
  const MaskedWeight& leak = *grid.leak;
  const std::string other =
      leak.where.head == grid.head ? "" : "head " + std::to_string(leak.where.head) + ": ";
  const std::string number = number_words(leak.weight);
  const std::string more = leak.cells > 1 ? ", " + std::to_string(leak.cells - 1) + " more" : "";
  for (const std::string& text :
       {other + number + " on a masked key" + more, other + number + " masked" + more, other + number + more})
    if (text_width(font, text) <= room) return text;
  return other + number;
}

std::string explanation(const Grid& grid) {
  const MaskedWeight& leak = *grid.leak;
  const std::string query = axis_label(grid.rows, leak.where.row),
                    key = axis_label(grid.columns, leak.where.column);
  std::string text = "“" + query + "” gives “" + key + "” a weight of " + exact_text(leak.weight) +
                     ", though the mask hides it";
  if (leak.cells > 1)
    text += ": the largest of " + std::to_string(leak.cells) + " in head " + std::to_string(leak.where.head);
  return text + ". Press to open it.";
}

Rect ring_around(Rect cell, float least) {
  const float x = (cell.min.x + cell.max.x) / 2, y = (cell.min.y + cell.max.y) / 2;
  const float w = std::max(cell.width() + 2, least) / 2, h = std::max(cell.height() + 2, least) / 2;
  return {{std::round(x - w), std::round(y - h)}, {std::round(x + w), std::round(y + h)}};
}

// Next to the ring, on the side where there is room, within the area.
Rect label_next_to(const Rect& ring, ImVec2 size, float gap, const Rect& area) {
  float x = ring.max.x + gap;
  if (x + size.x > area.max.x) x = ring.min.x - gap - size.x;
  x = std::max(area.min.x, std::min(x, area.max.x - size.x));
  const float middle = (ring.min.y + ring.max.y - size.y) / 2;
  const float y = std::max(area.min.y, std::min(middle, area.max.y - size.y));
  return {{std::round(x), std::round(y)}, {std::round(x) + size.x, std::round(y) + size.y}};
}

}  // namespace

void draw_leak(ImDrawList& list, Frame& frame, const Grid& grid, const CellLayout& layout) {
  if (!grid.leak) return;
  const Cell where = grid.leak->where;
  const bool here = where.head == grid.head;
  if (here ? is_written(frame, grid, layout, grid.leak->weight) : !layout.texture) return;
  const Theme& theme = frame.theme;
  const ImFont* font = theme.fonts.small;
  const ImVec2 clip_min = list.GetClipRectMin(), clip_max = list.GetClipRectMax();
  const Rect area{{std::max(clip_min.x, layout.cells.min.x), std::max(clip_min.y, layout.cells.min.y)},
                  {std::min(clip_max.x, layout.whole.max.x), std::min(clip_max.y, layout.cells.max.y)}};
  if (area.width() <= 0 || area.height() <= 0) return;
  const float padding = theme.px(kPadding);
  const std::string text = label_words(grid, font, area.width() - 2 * padding);
  const ImVec2 size{text_width(font, text) + 2 * padding, font_size(font) + padding};
  const Rect corner{area.min, area.min};
  const Rect ring = here ? ring_around(layout.cell(where.row, where.column), theme.px(kLeastRing)) : corner;
  const Rect label = label_next_to(ring, size, here ? theme.px(kSignGap) : 0, area);
  const ImU32 red = with_alpha(theme.bad, grid.opacity);
  if (here) {
    list.AddRect(ring.min, ring.max, with_alpha(theme.canvas, grid.opacity), theme.px(3), 0, theme.px(4));
    list.AddRect(ring.min, ring.max, red, theme.px(3), 0, theme.px(2));
  }
  list.AddRectFilled(label.min, label.max, with_alpha(theme.panel, grid.opacity), theme.px(3));
  list.AddRect(label.min, label.max, red, theme.px(3), 0, theme.px(1));
  draw_text(list, font, {label.min.x + padding, label.min.y + padding / 2}, red, text);
  if (!press_area(theme, "leak", label, explanation(grid))) return;
  frame.view.pinned = Spot{grid.stage, where};
  frame.view.layer.head = where.head;
}

}  // namespace attn
