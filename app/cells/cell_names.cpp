// The names of rows and columns as things to act on.
#include "app/cells/cell_names.h"

#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

#include "app/cells/cell_parts.h"
#include "app/frame/present_view.h"
#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

constexpr float kNameHandle = 14, kNameThreshold = 3, kFieldWidth = 90, kFieldPadding = 4, kCursor = 8;

// Where a label is typed: over the label, as wide as the text, and on the canvas: where there is no room to
// the left it reaches over the cells.
Rect renaming_box(const Frame& frame, const CellLayout& layout) {
  const Renaming& renaming = *frame.view.grid.renaming;
  const Theme& theme = frame.theme;
  const Rect label = layout.row_label(renaming.row);
  const ImDrawList& list = *ImGui::GetWindowDrawList();
  const float edge = theme.px(4), left = list.GetClipRectMin().x + edge,
              right = list.GetClipRectMax().x - edge;
  const float text = text_width(theme.fonts.body, renaming.text) + theme.px(2 * kFieldPadding + kCursor);
  const float width = std::min(std::max({label.width(), theme.px(kFieldWidth), text}), right - left);
  const float height = std::max(layout.pitch.y, font_size(theme.fonts.body) + theme.px(6));
  const float x = std::clamp(label.max.x - theme.px(2) - width, left, right - width);
  const float y = (label.min.y + label.max.y - layout.gap - height) / 2;
  return {{std::round(x), std::round(y)}, {std::round(x + width), std::round(y + height)}};
}

void draw_renaming(Frame& frame, const Grid& grid, const CellLayout& layout) {
  Renaming& renaming = *frame.view.grid.renaming;
  const Theme& theme = frame.theme;
  const Rect box = renaming_box(frame, layout);
  ImGui::SetCursorScreenPos(box.min);
  ImGui::SetNextItemWidth(box.width());
  ImGui::PushItemFlag(ImGuiItemFlags_NoNav, false);  // as labels have it
  if (renaming.focus) focus_next_item();
  // The box has grown with the text: what was scrolled to the left has room again.
  if (text_width(theme.fonts.body, renaming.text) + theme.px(2 * kFieldPadding) < box.width())
    show_text_from_start(ImGui::GetID("##rename"));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                      {theme.px(kFieldPadding), (box.height() - ImGui::GetFontSize()) / 2});
  const bool entered = ImGui::InputText(
      "##rename", &renaming.text, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  ImGui::PopStyleVar();
  ImGui::PopItemFlag();
  if (ImGui::IsItemActive()) renaming.focus = false;
  const bool left = ImGui::IsItemDeactivated(), escaped = left && key_pressed(GLFW_KEY_ESCAPE, false);
  ImGui::GetWindowDrawList()->AddRect(box.min, box.max, theme.focus_ring, theme.px(4), 0, theme.px(1.5f));
  if (!entered && !left) return;
  if (!escaped)
    try_edit(frame, [&] {
      if (renaming.text != axis_label(grid.rows, renaming.row))
        grid.edits.rows->rename(frame.draft, renaming.row, renaming.text);
    });
  frame.view.grid.renaming.reset();
}

void select_rows(View& view, const Grid& grid, std::size_t from, std::size_t to) {
  view.grid.selection =
      Selection{{grid.stage, {grid.head, from, 0}}, {grid.head, to, grid.values.columns() - 1}};
}

void select_columns(View& view, const Grid& grid, std::size_t from, std::size_t to) {
  view.grid.selection =
      Selection{{grid.stage, {grid.head, 0, from}}, {grid.head, grid.values.rows() - 1, to}};
}

bool moved_far(const Frame& frame) {
  const ImGuiIO& io = ImGui::GetIO();
  return std::abs(io.MousePos.y - io.MouseClickedPos[0].y) > frame.theme.px(kNameThreshold);
}

// A press on the label selects the row; carried up or down, it goes to another place.
void press_row(Frame& frame, const Grid& grid, const CellLayout& layout, std::size_t row) {
  View& view = frame.view;
  if (ImGui::IsItemActivated() && finish_entry(frame)) select_rows(view, grid, row, row);
  if (ImGui::IsItemActive() && !view.grid.drag && moved_far(frame))
    view.grid.drag = Drag{.kind = Drag::row, .from = {grid.stage, {grid.head, row, 0}}};
  const bool dragged =
      view.grid.drag && view.grid.drag->kind == Drag::row && view.grid.drag->from.stage == grid.stage;
  if (!dragged || view.grid.drag->from.cell.row != row || !ImGui::IsItemDeactivated()) return;
  const std::size_t to = layout.at(ImGui::GetIO().MousePos, grid.head).row;
  view.grid.drag.reset();
  if (to == row) return;
  try_edit(frame, [&] {
    grid.edits.rows->move(frame.draft, row, to);
    select_rows(view, grid, to, to);
  });
}

// × at the left of a label under the pointer.
void remove_button(Frame& frame, const Grid& grid, const Rect& label, std::size_t row) {
  const Theme& theme = frame.theme;
  if (!label.contains(ImGui::GetIO().MousePos) || frame.view.grid.drag || grid.values.rows() < 2) return;
  const float size = theme.px(kNameHandle), middle = (label.min.y + label.max.y) / 2;
  ImGui::SetCursorScreenPos({label.min.x, middle - size / 2});
  const bool pressed = ImGui::InvisibleButton("remove", {size, size});
  const bool hot = ImGui::IsItemHovered();
  const ImFont* font = theme.fonts.small;
  draw_text(*ImGui::GetWindowDrawList(), font,
            {label.min.x + (size - text_width(font, "×")) / 2, middle - font_size(font) / 2},
            hot ? theme.bad : theme.dim, "×");
  if (hot) show_tooltip("Remove “" + axis_label(grid.rows, row) + "”");
  if (pressed) try_edit(frame, [&] { grid.edits.rows->remove(frame.draft, row); });
}

}  // namespace

RowName row_name(Frame& frame, const Grid& grid, const CellLayout& layout, std::size_t row, bool alone) {
  View& view = frame.view;
  const bool things = grid.edits.rows != nullptr;
  if (things && view.grid.renaming && view.grid.renaming->stage == grid.stage &&
      view.grid.renaming->row == row) {
    draw_renaming(frame, grid, layout);
    return {.hot = false, .being_typed = true};
  }
  if (!alone) return {};
  const Rect label = layout.row_label(row);
  ImGui::PushID(static_cast<int>(row));
  if (things && grid.input) remove_button(frame, grid, label, row);
  ImGui::SetCursorScreenPos(label.min);
  ImGui::InvisibleButton("row", {label.width(), label.height()});
  const bool hovered = ImGui::IsItemHovered(), active = ImGui::IsItemActive();
  if (things) {
    press_row(frame, grid, layout, row);
    if (hovered && ImGui::IsMouseDoubleClicked(0)) start_renaming(frame, grid, row);
  } else if (active && finish_entry(frame)) {
    select_rows(view, grid, row, layout.at(ImGui::GetIO().MousePos, grid.head).row);
  }
  ImGui::PopID();
  return {.hot = hovered || active, .being_typed = false};
}

bool column_name(Frame& frame, const Grid& grid, const CellLayout& layout, std::size_t column, bool alone) {
  if (!alone) return false;
  const Rect label = layout.column_label(column);
  ImGui::PushID(static_cast<int>(column));
  ImGui::SetCursorScreenPos(label.min);
  ImGui::InvisibleButton("column", {label.width(), std::max(1.0f, label.height())});
  if (ImGui::IsItemActive() && finish_entry(frame))
    select_columns(frame.view, grid, column, layout.at(ImGui::GetIO().MousePos, grid.head).column);
  const bool hot = ImGui::IsItemHovered();
  ImGui::PopID();
  return hot;
}

void add_row(Frame& frame, const Grid& grid, std::size_t at) {
  try_edit(frame, [&] { grid.edits.rows->insert(frame.draft, at, grid.edits.rows->named ? "new" : ""); });
}

void start_renaming(Frame& frame, const Grid& grid, std::size_t row) {
  frame.view.grid.renaming = Renaming{grid.stage, row, axis_label(grid.rows, row)};
}

void row_buttons(ImDrawList& list, Frame& frame, const Grid& grid, const CellLayout& layout) {
  if (!grid.edits.rows) return;
  const Theme& theme = frame.theme;
  const auto& drag = frame.view.grid.drag;
  if (drag && drag->kind == Drag::row && drag->from.stage == grid.stage) {
    const std::size_t to = layout.at(ImGui::GetIO().MousePos, grid.head).row;
    const float y = layout.row_label(to).min.y + (to > drag->from.cell.row ? layout.pitch.y : 0);
    list.AddLine({layout.whole.min.x, y}, {layout.cells.max.x, y}, theme.accent, theme.px(2));
  }
  if (!grid.input || presents(frame.view)) return;  // a matrix that is presented fills its room
  const ImFont* font = theme.fonts.body;
  const float size = theme.px(kNameHandle);
  const ImVec2 at{layout.cells.min.x - theme.px(7) - size, layout.bar_y - theme.px(3)};
  ImGui::SetCursorScreenPos(at);
  const bool pressed =
      ImGui::InvisibleButton(("add " + grid.edits.rows->thing).c_str(), {size, size}) || pressed_by_enter();
  const bool hot = ImGui::IsItemHovered();
  draw_text(list, font, {at.x + (size - text_width(font, "+")) / 2, at.y + (size - font_size(font)) / 2},
            with_alpha(hot ? theme.text : theme.dim, grid.opacity), "+");
  draw_focus_ring(theme, theme.px(3));
  if (hot) show_tooltip("Add a " + grid.edits.rows->thing + " below");
  if (pressed) add_row(frame, grid, grid.values.rows());
}

}  // namespace attn
