// Keys of the grid that has the focus.
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/cells/cell_parts.h"
#include "app/frame/lit.h"
#include "app/frame/workspace.h"
#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"

namespace attn {
namespace {

struct Arrow {
  int key;
  int down, right;
};
constexpr std::array kArrows{Arrow{GLFW_KEY_UP, -1, 0}, Arrow{GLFW_KEY_DOWN, 1, 0},
                             Arrow{GLFW_KEY_LEFT, 0, -1}, Arrow{GLFW_KEY_RIGHT, 0, 1}};

std::size_t moved(std::size_t from, int by, std::size_t count, bool to_the_end) {
  if (to_the_end && by != 0) return by < 0 ? 0 : count - 1;
  if (by < 0) return from == 0 ? 0 : from - 1;
  return std::min(from + static_cast<std::size_t>(by), count - 1);
}

// The selected row goes up or down, and the selection with it.
void carry_row(Frame& frame, const Grid& grid, int down) {
  Selection& selection = *frame.view.grid.selection;
  const std::size_t from = selection.cursor.row, to = moved(from, down, grid.values.rows(), false);
  if (!grid.edits.rows || down == 0 || from == to) return;
  try_edit(frame, [&] {
    grid.edits.rows->move(frame.draft, from, to);
    selection.cursor.row = selection.anchor.cell.row = to;
  });
}

void arrows(Frame& frame, const Grid& grid) {
  const ImGuiIO& io = ImGui::GetIO();
  View& view = frame.view;
  const Shape shape = grid.values.shape();
  for (const Arrow& arrow : kArrows) {
    if (!key_pressed(arrow.key)) continue;
    if (io.KeyAlt) {
      carry_row(frame, grid, arrow.down);
      continue;
    }
    Selection& selection = *view.grid.selection;
    selection.cursor.row = moved(selection.cursor.row, arrow.down, shape.rows, io.KeyCtrl);
    selection.cursor.column = moved(selection.cursor.column, arrow.right, shape.columns, io.KeyCtrl);
    if (io.KeyShift) continue;
    selection.anchor.cell = selection.cursor;
    if (view.pinned) view.pinned = selection.anchor;
  }
}

void remove_overrides(Frame& frame, const Grid& grid) {
  if (!key_pressed(GLFW_KEY_DELETE) && !key_pressed(GLFW_KEY_BACKSPACE)) return;
  const Region block = block_of(*frame.view.grid.selection);
  std::erase_if(frame.draft.overrides, [&](const StageOverride& o) {
    return belongs_to(o, frame.workspace) && is_over(o, grid.stage) && block.contains(o.value.cell);
  });
}

// Only these open the entry by being typed: all other keys keep their one meaning (shortcuts.cpp).
bool begins_number(ImWchar c) {
  constexpr ImWchar kMinus = 0x2212;
  return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == kMinus;
}

std::string typed_number() {
  std::string text;
  if (ImGui::GetIO().KeyCtrl || ImGui::GetIO().KeyAlt) return text;
  for (const ImWchar c : ImGui::GetIO().InputQueueCharacters) {
    if (text.empty() && c <= ' ') continue;
    if (text.empty() && !begins_number(c)) return text;
    char utf8[5] = {};
    ImTextCharToUtf8(utf8, c);
    text += utf8;
  }
  return text;
}

void selection_keys(Frame& frame, const Grid& grid) {
  const ImGuiIO& io = ImGui::GetIO();
  arrows(frame, grid);
  remove_overrides(frame, grid);
  if (io.KeyCtrl && key_pressed(GLFW_KEY_A, false)) {
    const Shape s = grid.values.shape();
    frame.view.grid.selection =
        Selection{{grid.stage, {grid.head, 0, 0}}, {grid.head, s.rows - 1, s.columns - 1}};
  }
  const bool menu = key_pressed(GLFW_KEY_MENU, false) || (io.KeyShift && key_pressed(GLFW_KEY_F10, false));
  if (menu) ImGui::OpenPopup("menu");
  const bool enter = enter_pressed();
  const std::string typed = typed_number();
  if (!typed.empty() || enter || key_pressed(GLFW_KEY_F2, false)) start_entry(frame, grid, typed);
}

bool something_open(const View& view) {
  return view.grid.open() || view.overlays.any() ||
         ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

}  // namespace

void cell_keys(Frame& frame, const Grid& grid) {
  View& view = frame.view;
  const bool focused = ImGui::IsItemFocused();
  draw_focus_ring(frame.theme, frame.theme.px(3));
  // Tab has come here, and is not on its way to a lit cell elsewhere: the first cell is selected.
  const bool stays = std::as_const(view).of<Lit>().keyboard.empty();
  if (has_focus_ring() && stays && !selection_on(grid, view) && !view.grid.typing)
    select_cell(view, grid, {grid.head, 0, 0});
  const bool active = focused && selection_on(grid, view) && !view.grid.typing;
  if (active) {
    view.grid.has_keys = true;
    GImGui->NavWindowingToggleLayer = false;  // Alt alone would take the keyboard away
  }
  if (active && has_focus_ring() && !view.hovered)
    view.hovered = Spot{grid.stage, view.grid.selection->cursor};
  const ImGuiID busy = ImGui::GetActiveID();
  if (something_open(view) || (busy != 0 && busy != ImGui::GetItemID())) return;
  if (active && !view.grid.pasting) selection_keys(frame, grid);
}

}  // namespace attn
