// The title of a grid and the labels around it: where they would overlap only every second, fifth, tenth … is
// written, and where all are written they can be acted on.
#include <imgui_internal.h>

#include <cmath>
#include <utility>

#include "app/cells/cell_draw.h"
#include "app/cells/cell_names.h"
#include "app/cells/cell_parts.h"
#include "app/frame/lit.h"
#include "app/frame/visible_stages.h"
#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

// Every how manieth label is written where they would overlap: 1, 2, 5, 10, 20, …
std::size_t stride(float pitch, float needed) {
  std::size_t step = 1;
  for (const std::size_t factor : {2, 5, 10, 20, 50, 100, 200, 500, 1000})
    if (static_cast<float>(step) * pitch < needed) step = factor;
  return step;
}

// Whether this row (column) is one that the selection or the number in focus is in.
bool is_lit(const Frame& frame, const Grid& grid, bool row, std::size_t index) {
  const auto& focus = frame.view.focus();
  if (!focus || focus->stage != grid.stage || focus->cell.head != grid.head) return false;
  return (row ? focus->cell.row : focus->cell.column) == index;
}

// Whether the mask leaves this query no key. Large matrices are not read for it: the checks know their rows.
bool has_no_key(const Grid& grid, const CellLayout& l, std::size_t row) {
  if (grid.role != Role::weights || grid.mask.kept() == Kept::not_kept || l.texture) return false;
  for (std::size_t key = 0; key < l.columns; ++key)
    if (!is_masked(grid, {grid.head, row, key})) return false;
  return true;
}

void row_labels(ImDrawList& list, Frame& frame, const Grid& grid, const CellLayout& l) {
  const Theme& theme = frame.theme;
  const ImFont* font = l.row_font;
  const std::size_t step = stride(l.pitch.y, font_size(font) * 0.95f);
  const CellRange seen = visible_cells(l, {list.GetClipRectMin(), list.GetClipRectMax()});
  const float gap = theme.px(kLabelGap), room = l.label_width - gap;
  const Lit& lights_of = std::as_const(frame.view).of<Lit>();
  const bool partly = lights_in_part(lights_of, grid.stage);
  for (std::size_t row = seen.row; row < seen.row_end; ++row) {
    if (row % step != 0) continue;
    const Rect box = l.row_label(row);
    const RowName name = row_name(frame, grid, l, row, step == 1);
    if (name.being_typed) continue;
    const std::string full = axis_label(grid.rows, row), text = elided(font, full, room);
    const bool empty = has_no_key(grid, l, row);
    const bool lit = name.hot || is_lit(frame, grid, true, row);
    const bool unlit = partly && !lights_row(lights_of, grid.stage, grid.head, row);
    const ImU32 colour = empty ? theme.bad : lit ? theme.text : theme.dim;
    draw_text(list, font,
              {std::round(box.max.x - gap - text_width(font, text)),
               std::round((box.min.y + box.max.y - l.gap - font_size(font)) / 2)},
              with_alpha(colour, grid.opacity * (unlit ? kUnlit : 1)), text);
    const std::string why = empty ? ": the mask leaves this query no key" : "";
    if (name.hot && (empty || text != full)) show_tooltip(full + why);
  }
}

void column_labels(ImDrawList& list, Frame& frame, const Grid& grid, const CellLayout& l) {
  const Theme& theme = frame.theme;
  const ImFont* font = theme.fonts.small;
  const bool names = grid.columns.labels && grid.columns.labels->size() == l.columns;
  const float needed = names ? theme.px(24) : text_width(font, std::to_string(l.columns)) + theme.px(4);
  const std::size_t step = stride(l.pitch.x, needed);
  const CellRange seen = visible_cells(l, {list.GetClipRectMin(), list.GetClipRectMax()});
  for (std::size_t column = seen.column; column < seen.column_end; ++column) {
    if (column % step != 0) continue;
    const Rect box = l.column_label(column);
    const bool hot = column_name(frame, grid, l, column, step == 1);
    const float room = l.pitch.x * static_cast<float>(step) - theme.px(2);
    const std::string full = axis_label(grid.columns, column), text = elided(font, full, room);
    const bool lit = hot || is_lit(frame, grid, false, column);
    const ImU32 colour = lit ? theme.text : names ? theme.dim : theme.faint;
    const float centre = (box.min.x + box.max.x - l.gap) / 2;
    draw_text(list, font, {std::round(centre - text_width(font, text) / 2), l.column_label_y},
              with_alpha(colour, grid.opacity), text);
    if (hot && text != full) show_tooltip(full);
  }
}

// A double-click on it lets the matrix fill the canvas; it is no stop of Tab, as Z does the same.
void title_mouse(Frame& frame, const Grid& grid, Rect title, const std::string& words) {
  // The first item of its window: without the second flag Tab would begin there and never leave.
  ImGui::PushItemFlag(ImGuiItemFlags_NoNav, true);
  ImGui::PushItemFlag(ImGuiItemFlags_NoNavDefaultFocus, true);
  begin_no_tab_stops();
  ImGui::SetCursorScreenPos(title.min);
  ImGui::InvisibleButton("title", {title.width(), title.height()});
  end_no_tab_stops();
  ImGui::PopItemFlag();
  ImGui::PopItemFlag();
  if (!ImGui::IsItemHovered()) return;
  const bool filled = frame.canvas().filled == grid.stage;
  show_tooltip(words + "\ndouble-click: " + (filled ? "all matrices again" : "it alone fills the canvas"));
  if (ImGui::IsMouseDoubleClicked(0)) toggle_filled(frame.canvas(), grid.stage);
}

}  // namespace

void draw_labels(ImDrawList& list, Frame& frame, const Grid& grid, const CellLayout& layout) {
  const Theme& theme = frame.theme;
  Subtitle subtitle = grid.subtitle;
  if (layout.pitch.x < 1 || layout.pitch.y < 1)
    subtitle.insert(grid.compact ? subtitle.end() : subtitle.begin(),
                    {.text = "max-pooled", .essential = true});
  const float until = grid.title_until > 0 ? grid.title_until : layout.whole.max.x;
  const bool fits = text_width(theme.fonts.bold, grid.title) <= until - layout.cells.min.x;
  // Where the cells are narrow the room above the row labels is the title's too.
  const float left = fits || grid.title_until == 0 ? layout.cells.min.x : layout.whole.min.x;
  const ImVec2 at{left, layout.whole.min.y};
  const float width = until - left;
  if (grid.titled)
    draw_title(list, theme, at, with_alpha(role_colour(theme, grid.hue), grid.opacity), grid.title, subtitle,
               width);
  const Rect title{at, {at.x + width, at.y + font_size(theme.fonts.bold)}};
  const std::string words = grid.title + "  " + to_string(subtitle);
  if (grid.fills && grid.titled)
    title_mouse(frame, grid, title, words);
  else if (grid.titled && ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(title.min, title.max))
    show_tooltip(words);
  ImGui::PushItemFlag(ImGuiItemFlags_NoNav, true);
  begin_no_tab_stops();
  if (grid.row_labels) row_labels(list, frame, grid, layout);
  if (grid.column_labels && !grid.close) column_labels(list, frame, grid, layout);
  end_no_tab_stops();
  ImGui::PopItemFlag();
  if (grid.row_labels) row_buttons(list, frame, grid, layout);
}

}  // namespace attn
