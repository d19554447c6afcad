// The menu of a matrix: copying, filling, overrides, its colour range, and its rows where they are things.
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "app/cells/cell_layout.h"
#include "app/cells/cell_marks.h"
#include "app/cells/cell_names.h"
#include "app/cells/cell_parts.h"
#include "app/cells/grid_commands.h"
#include "app/frame/drawn_parts.h"
#include "app/frame/workspace.h"
#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "app/widgets/items.h"

namespace attn {
namespace {

constexpr std::array<std::string_view, 3> kCommands{"edit.copy", "edit.copy_whole", "edit.paste"};

void run(Frame& frame, const std::string& command) {
  frame.commands.push_back(command);
}

// A formula that is wrong stays open, with the reason.
void fill_by_formula(Frame& frame, const Region& block) {
  FillChoices& choices = frame.view.grid.fill;
  const auto cells = formula_cells(choices.formula, block);
  const TextError* error = std::get_if<TextError>(&cells);
  choices.error = error ? error->message : "";
  if (error) return;
  run(frame, "fill.formula");
  ImGui::CloseCurrentPopup();
}

void fill_menu(Frame& frame, const Grid& grid) {
  FillChoices& choices = frame.view.grid.fill;
  const Region block = block_or_whole(selection_on(grid, frame.view), grid.head, grid.values.shape());
  const Shape size{1, block.end.row - block.begin.row, block.end.column - block.begin.column};
  if (!begin_menu("Fill " + to_string(size) + " with")) return;
  for (const FillName& f : kFillNames)
    if (menu_item(title_of(f, choices) + "###" + f.title)) run(frame, std::string("fill.") + f.word);
  ImGui::SetNextItemWidth(frame.theme.px(110));
  ImGui::InputInt(spoken_label("seed").c_str(), &choices.seed);
  ImGui::SetNextItemWidth(frame.theme.px(160));
  if (ImGui::InputText(spoken_label("of row i, column j").c_str(), &choices.formula,
                       ImGuiInputTextFlags_EnterReturnsTrue))
    fill_by_formula(frame, block);
  if (menu_item("fill by this formula")) fill_by_formula(frame, block);
  if (!choices.error.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.bad);
    say(choices.error);
    ImGui::PopStyleColor();
  }
  ImGui::EndMenu();
}

void row_menu(Frame& frame, const Grid& grid, std::size_t row) {
  const RowEdits* rows = grid.edits.rows.get();
  if (!rows) return;
  const std::size_t count = grid.values.rows();
  const std::string name = "“" + axis_label(grid.rows, row) + "”", thing = "a " + rows->thing;
  ImGui::Separator();
  if (menu_item("Add " + thing + " above")) add_row(frame, grid, row);
  if (menu_item("Add " + thing + " below")) add_row(frame, grid, row + 1);
  if (menu_item("Remove " + name + "###remove row", nullptr, false, count > 1))
    try_edit(frame, [&] { rows->remove(frame.draft, row); });
  if (menu_item("Move up", "Alt+↑", false, row > 0))
    try_edit(frame, [&] { rows->move(frame.draft, row, row - 1); });
  if (menu_item("Move down", "Alt+↓", false, row + 1 < count))
    try_edit(frame, [&] { rows->move(frame.draft, row, row + 1); });
  if (menu_item("Rename " + name + "###rename row")) start_renaming(frame, grid, row);
}

void override_menu(Frame& frame, const Grid& grid) {
  const auto here = [&](const StageOverride& o) {
    return belongs_to(o, frame.workspace) && is_over(o, grid.stage);
  };
  auto& overrides = frame.draft.overrides;
  const auto count = std::count_if(overrides.begin(), overrides.end(), here);
  if (count == 0) return;
  if (menu_item("Remove " + std::to_string(count) + (count == 1 ? " override" : " overrides")))
    std::erase_if(overrides, here);
}

// Of the matrix, as much as is in sight.
Rect area_in_sight(const Frame& frame, const Grid& grid) {
  const Rect area = grid_area(grid, frame);
  return {{std::max(area.min.x, frame.area.min.x), std::max(area.min.y, frame.area.min.y)},
          {std::min(area.max.x, frame.area.max.x), std::min(area.max.y, frame.area.max.y)}};
}

}  // namespace

void draw_menu(Frame& frame, const Grid& grid) {
  View& view = frame.view;
  if (!ImGui::BeginPopup("menu")) return;
  close_by_escape();
  const Selection* selection = selection_on(grid, view);
  const bool block = selection && !(selection->anchor.cell == selection->cursor);
  for (const Command& command : frame.table)
    if (std::ranges::count(kCommands, command.name) > 0 &&
        menu_item(command.title, to_string(command.shortcut).c_str()))
      run(frame, command.name);
  if (grid.input || block) fill_menu(frame, grid);
  override_menu(frame, grid);
  if (menu_item(is_locked(view, grid.stage) ? "Unlock the colour range" : "Lock the colour range"))
    toggle_lock(view, grid);
  if (menu_item("Picture of this matrix")) frame.asks.emplace_back(SavePicture{area_in_sight(frame, grid)});
  if (menu_item("Picture of this matrix as SVG"))
    frame.asks.emplace_back(SavePicture{area_in_sight(frame, grid), true});
  for (const auto& [entry, format] : {std::pair{"Save its numbers as CSV", NumbersFormat::csv},
                                      std::pair{"Save its numbers as npz", NumbersFormat::npz}})
    if (menu_item(entry, nullptr, false, grid.values.here()))
      frame.asks.emplace_back(SaveNumbers{grid.title, format, numbers_of(grid)});
  if (selection) row_menu(frame, grid, selection->cursor.row);
  ImGui::EndPopup();
}

}  // namespace attn
