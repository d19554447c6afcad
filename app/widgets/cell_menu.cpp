// The menu of a matrix: copying, filling, overrides, its colour range, and its rows where they are things.
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>

#include "app/widgets/cell_names.h"
#include "app/widgets/cell_parts.h"
#include "app/workspaces/workspaces.h"
#include "core/attention/edit_fill.h"
#include "core/expression.h"

namespace attn {
namespace {

struct FillName {
  const char* name;
  FillKind kind;
  bool random;
};
constexpr std::array kFills{
    FillName{"zeros", FillKind::zeros, false}, FillName{"identity", FillKind::identity, false},
    FillName{"normal, mean 0, deviation 1", FillKind::normal, true},
    FillName{"uniform, 0 to 1", FillKind::uniform, true}, FillName{"one-hot rows", FillKind::one_hot, true}};

// A selected block of several cells, else the whole matrix on screen.
Region filled_block(const Grid& grid, const View& view) {
  const Selection* selection = selection_on(grid, view);
  if (selection && !(selection->anchor.cell == selection->cursor)) return block_of(*selection);
  return {{grid.head, 0, 0}, {grid.head + 1, grid.values.rows(), grid.values.columns()}};
}

void fill(Frame& frame, const Grid& grid, const std::vector<CellValue>& cells) {
  try_edit(frame, [&] { grid.edits.set(frame.draft, cells); });
}

void fill_by_formula(Frame& frame, const Grid& grid, const Region& block) {
  FillChoices& choices = frame.view.grid.fill;
  const auto cells = formula_cells(choices.formula, block);
  choices.error = std::holds_alternative<TextError>(cells) ? std::get<TextError>(cells).message : "";
  if (!choices.error.empty()) return;
  fill(frame, grid, std::get<std::vector<CellValue>>(cells));
  ImGui::CloseCurrentPopup();
}

void fill_menu(Frame& frame, const Grid& grid) {
  FillChoices& choices = frame.view.grid.fill;
  const Region block = filled_block(grid, frame.view);
  const Shape size{1, block.end.row - block.begin.row, block.end.column - block.begin.column};
  if (!ImGui::BeginMenu(("Fill " + to_string(size) + " with").c_str())) return;
  for (const FillName& f : kFills) {
    const std::string name = f.name + (f.random ? ", seed " + std::to_string(choices.seed) : std::string());
    if (ImGui::MenuItem((name + "###" + f.name).c_str()))
      fill(frame, grid, fill_cells(f.kind, static_cast<std::uint64_t>(choices.seed), block));
  }
  ImGui::SetNextItemWidth(frame.theme.px(110));
  ImGui::InputInt("seed", &choices.seed);
  ImGui::SetNextItemWidth(frame.theme.px(160));
  if (ImGui::InputText("of row i, column j", &choices.formula, ImGuiInputTextFlags_EnterReturnsTrue))
    fill_by_formula(frame, grid, block);
  if (ImGui::MenuItem("fill by this formula")) fill_by_formula(frame, grid, block);
  if (!choices.error.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.bad);
    ImGui::TextUnformatted(choices.error.c_str());
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
  if (ImGui::MenuItem(("Add " + thing + " above").c_str())) add_row(frame, grid, row);
  if (ImGui::MenuItem(("Add " + thing + " below").c_str())) add_row(frame, grid, row + 1);
  if (ImGui::MenuItem(("Remove " + name + "###remove row").c_str(), nullptr, false, count > 1))
    try_edit(frame, [&] { rows->remove(frame.draft, row); });
  if (ImGui::MenuItem("Move up", "Alt+↑", false, row > 0))
    try_edit(frame, [&] { rows->move(frame.draft, row, row - 1); });
  if (ImGui::MenuItem("Move down", "Alt+↓", false, row + 1 < count))
    try_edit(frame, [&] { rows->move(frame.draft, row, row + 1); });
  if (ImGui::MenuItem(("Rename " + name + "###rename row").c_str())) start_renaming(frame, grid, row);
}

void override_menu(Frame& frame, const Grid& grid) {
  const auto here = [&](const StageOverride& o) {
    return o.workspace == frame.workspace.name && o.stage == grid.stage;
  };
  auto& overrides = frame.draft.overrides;
  const auto count = std::count_if(overrides.begin(), overrides.end(), here);
  if (count == 0) return;
  if (ImGui::MenuItem(
          ("Remove " + std::to_string(count) + (count == 1 ? " override" : " overrides")).c_str()))
    std::erase_if(overrides, here);
}

}  // namespace

void draw_menu(Frame& frame, const Grid& grid) {
  View& view = frame.view;
  if (!ImGui::BeginPopup("menu")) return;
  const Selection* selection = selection_on(grid, view);
  const bool block = selection && !(selection->anchor.cell == selection->cursor);
  if (ImGui::MenuItem("Copy", "Ctrl+C")) ImGui::SetClipboardText(copied_text(grid, view).c_str());
  View everything;  // without a selection
  if (ImGui::MenuItem("Copy the whole matrix"))
    ImGui::SetClipboardText(copied_text(grid, everything).c_str());
  if (ImGui::MenuItem("Paste…", "Ctrl+V")) start_paste(frame, grid);
  if (grid.input || block) fill_menu(frame, grid);
  override_menu(frame, grid);
  if (ImGui::MenuItem(is_locked(view, grid.stage) ? "Unlock the colour range" : "Lock the colour range"))
    toggle_lock(view, grid);
  if (selection) row_menu(frame, grid, selection->cursor.row);
  ImGui::EndPopup();
}

}  // namespace attn
