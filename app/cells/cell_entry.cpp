// A number being typed, in a field over its cell.
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "app/cells/cell_parts.h"
#include "app/cells/cell_text.h"
#include "app/frame/workspace.h"
#include "app/theme/toolkit.h"
#include "app/widgets/words.h"
#include "core/text/expression.h"

namespace attn {
namespace {

constexpr float kLeastWidth = 84, kErrorGap = 6, kErrorPadding = 5;

// Tab ends the entry instead of being typed; what was typed before the field had the keyboard stays.
int edit_callback(ImGuiInputTextCallbackData* data) {
  Typing& typing = *static_cast<Typing*>(data->UserData);
  if (data->EventFlag == ImGuiInputTextFlags_CallbackCharFilter) return data->EventChar == '\t' ? 1 : 0;
  if (!typing.focus) return 0;
  typing.focus = false;  // the first frame with the keyboard
  typing.select_all ? data->SelectAll() : data->ClearSelection();
  if (!typing.select_all) data->CursorPos = data->BufTextLen;
  return 0;
}

// Characters that came before the field had the keyboard.
void take_early_characters(Typing& typing) {
  for (const ImWchar c : ImGui::GetIO().InputQueueCharacters) {
    if (c < 0x20) continue;
    if (std::exchange(typing.select_all, false)) typing.text.clear();
    char utf8[5] = {};
    ImTextCharToUtf8(utf8, c);
    typing.text += utf8;
  }
}

Rect field_rect(const Frame& frame, const CellLayout& layout, Cell cell) {
  const Theme& theme = frame.theme;
  const Rect box = layout.cell(cell.row, cell.column);
  const float width = std::max(box.width(), theme.px(kLeastWidth));
  const float height = std::max(box.height(), font_size(theme.fonts.body) + theme.px(6));
  return {box.min, {box.min.x + width, box.min.y + height}};
}

void draw_error(const Frame& frame, Rect field, const std::string& error) {
  const Theme& theme = frame.theme;
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  const ImFont* font = theme.fonts.small;
  const float padding = theme.px(kErrorPadding);
  const float width = text_width(font, error) + 2 * padding;
  const float left = std::min(field.min.x, ImGui::GetIO().DisplaySize.x - width);
  const ImVec2 min{left, field.max.y + theme.px(kErrorGap)};
  const ImVec2 max{min.x + width, min.y + font_size(font) + 2 * padding};
  list.AddRectFilled(min, max, theme.bar, theme.px(4));
  list.AddRect(min, max, theme.bad, theme.px(4));
  draw_text(list, font, {min.x + padding, min.y + padding}, theme.bad, error);
}

// The cells' item has the keyboard again, wherever Tab was about to take it.
void focus_cells() {
  ImGui::NavMoveRequestCancel();
  ImGui::SetFocusID(ImGui::GetID("cells"), ImGui::GetCurrentWindow());
}

// Down, or right, from a row's end to the next row; down from where Tab has led to is below where it began,
// as in a table.
void move_on(View& view, const CellLayout& layout, bool down) {
  Spot& at = view.grid.selection->anchor;
  const auto& run = view.grid.tab_run;
  const std::size_t first = run && run->next == at ? run->column : at.cell.column;
  if (down) {
    at.cell = {at.cell.head, std::min(at.cell.row + 1, layout.rows - 1), first};
  } else {
    if (at.cell.column + 1 < layout.columns)
      ++at.cell.column;
    else if (at.cell.row + 1 < layout.rows)
      at.cell = {at.cell.head, at.cell.row + 1, 0};
    view.grid.tab_run = TabRun{at, first};
  }
  view.grid.selection->cursor = at.cell;
  if (view.pinned) view.pinned = at;
}

}  // namespace

void start_entry(Frame& frame, const Grid& grid, const std::string& text) {
  const auto stage = frame.graph.find(grid.stage);
  if (stage && !frame.graph.stages[*stage].read_only.empty()) {
    frame.view.say(frame.graph.stages[*stage].read_only, true);
    return;
  }
  const Selection& selection = *frame.view.grid.selection;
  Typing typing;
  typing.select_all = text.empty();
  typing.text =
      text.empty() && grid.values.holds(selection.cursor) ? exact_text(grid.values[selection.cursor]) : text;
  frame.view.grid.typing = std::move(typing);
}

bool finish_entry(Frame& frame) {
  View& view = frame.view;
  if (!view.grid.typing || !view.grid.selection) return true;
  const auto number = parse_float_expression(view.grid.typing->text);
  if (const TextError* error = std::get_if<TextError>(&number)) {
    view.grid.typing->error = error->message;
    return false;
  }
  std::vector<CellValue> cells;
  const Region block = block_of(*view.grid.selection);
  for (std::size_t row = block.begin.row; row < block.end.row; ++row)
    for (std::size_t column = block.begin.column; column < block.end.column; ++column)
      cells.push_back({{block.begin.head, row, column}, std::get<float>(number)});
  try_edit(frame, [&] {
    set_numbers(frame.draft, frame.workspace, frame.given, view.grid.selection->anchor.stage, cells);
  });
  view.grid.typing.reset();
  return true;
}

namespace {

bool text_field(const Frame& frame, Rect field, Typing& typing) {
  ImGui::SetCursorScreenPos(field.min);
  ImGui::SetNextItemWidth(field.width());
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                      {frame.theme.px(4), (field.height() - ImGui::GetFontSize()) / 2});
  const bool entered =
      ImGui::InputText("##entry", &typing.text,
                       ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AllowTabInput |
                           ImGuiInputTextFlags_CallbackAlways | ImGuiInputTextFlags_CallbackCharFilter,
                       edit_callback, &typing);
  ImGui::PopStyleVar();
  return entered;
}

// Enter and Tab: take the number and go on, or stay with the reason.
void commit(Frame& frame, const CellLayout& layout, bool down) {
  View& view = frame.view;
  const bool single = view.grid.selection->anchor.cell == view.grid.selection->cursor;
  if (!finish_entry(frame)) {
    view.grid.typing->focus = true;
    view.grid.typing->select_all = false;
    return;
  }
  if (single) move_on(view, layout, down);  // a block stays selected, to be filled again
  ImGui::ClearActiveID();
  focus_cells();
}

}  // namespace

bool draw_entry(Frame& frame, const Grid& grid, const CellLayout& layout) {
  View& view = frame.view;
  if (!view.grid.typing || !selection_on(grid, view)) return false;
  const Rect field = field_rect(frame, layout, view.grid.selection->cursor);
  Typing& typing = *view.grid.typing;
  const std::string before = typing.text;
  // Until the field has the keyboard its keys are read here, so that no fast typist loses one.
  const bool waiting = ImGui::GetActiveID() != ImGui::GetID("##entry") && typing.focus;
  if (waiting) {
    take_early_characters(typing);
    focus_next_item();
  }
  const bool entered = text_field(frame, field, typing) || (waiting && enter_pressed());
  const bool left = ImGui::IsItemDeactivated(), active = ImGui::IsItemActive() || waiting;
  if (active && typing.text != before) typing.error.clear();
  const ImU32 frame_colour = typing.error.empty() ? frame.theme.focus_ring : frame.theme.bad;
  ImGui::GetWindowDrawList()->AddRect(field.min, field.max, frame_colour, frame.theme.px(4), 0,
                                      frame.theme.px(1.5f));
  if (!typing.error.empty()) draw_error(frame, field, typing.error);
  const bool nobody = ImGui::GetActiveID() == 0;
  if ((nobody || waiting) && key_pressed(GLFW_KEY_ESCAPE, false)) {
    view.grid.typing.reset();
    ImGui::ClearActiveID();
    focus_cells();
  } else if (entered || (active && key_pressed(GLFW_KEY_TAB, false))) {
    commit(frame, layout, entered);
  } else if (left) {
    finish_entry(frame);  // a click elsewhere; what is no number stays, with the reason
  }
  return true;
}

}  // namespace attn
