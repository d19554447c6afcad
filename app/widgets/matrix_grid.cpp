// A matrix grid, put together from its parts.
#include "app/widgets/matrix_grid.h"

#include "app/widgets/cell_draw.h"
#include "app/widgets/cell_parts.h"
#include "core/error.h"

namespace attn {
namespace {

bool outside(const Spot& spot, const Grid& grid) {
  const Shape s = grid.values.shape();
  return spot.stage == grid.stage &&
         (spot.cell.head >= s.stack || spot.cell.row >= s.rows || spot.cell.column >= s.columns);
}

// Undo and other edits may take away the cells that the view talks about.
void forget_lost_cells(View& view, const Grid& grid) {
  if (view.pinned && outside(*view.pinned, grid)) view.pinned.reset();
  GridView& g = view.grid;
  if (g.pasting && outside(g.pasting->at, grid)) g.pasting.reset();
  if (g.selection && (outside(g.selection->anchor, grid) ||
                      outside({g.selection->anchor.stage, g.selection->cursor}, grid))) {
    g.selection.reset();
    g.typing.reset();
  }
}

}  // namespace

ImVec2 grid_size(const Grid& grid, const Frame& frame) {
  const Rect whole = cell_layout(grid, frame).whole;
  return {whole.width(), whole.height()};
}

Rect cell_rect(const Grid& grid, const Frame& frame, std::size_t row, std::size_t column) {
  const CellLayout layout = cell_layout(grid, frame);
  const Rect cell = layout.cell(row, column);
  return {cell.min, {cell.min.x + layout.pitch.x, cell.min.y + layout.pitch.y}};
}

void draw_grid(Frame& frame, const Grid& grid) {
  if (grid.values.empty()) return;
  const CellLayout layout = cell_layout(grid, frame);
  forget_lost_cells(frame.view, grid);
  frame.view.grid.heads[grid.stage] = grid.head;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGui::PushID(grid.stage.c_str());
  draw_cells(list, frame, grid, layout);
  draw_labels(list, frame, grid, layout);
  draw_range(list, frame, grid, layout);
  const bool typing = draw_entry(frame, grid, layout);  // before the cells: the mouse finds it first
  cell_mouse(frame, grid, layout);
  if (!typing) cell_keys(frame, grid);
  draw_menu(frame, grid);
  draw_paste(frame, grid, layout);
  draw_marks(list, frame, grid, layout);
  draw_tooltip(frame, grid, layout);
  ImGui::PopID();
}

ColourMap colour_map_of(const Frame& frame, const Stage& stage, const Summary& summary) {
  const bool fixed = stage.range == Range::unit || stage.range == Range::mask;
  ColourMap map;
  map.range = fixed ? 1 : summary.largest();
  if (map.range == 0) map.range = 1;
  if (fixed)
    map.kind =
        frame.view.settings.weight_colours == WeightColours::cividis ? MapKind::cividis : MapKind::viridis;
  for (const auto& [locked, range] : frame.view.grid.locked_ranges)
    if (locked == stage.id) map.range = range;
  return map;
}

void try_edit(Frame& frame, const std::function<void()>& edit) {
  try {
    edit();
  } catch (const Error& error) {
    frame.view.message = error.what();
    frame.view.message_is_error = true;
  }
}

void select_cell(View& view, const Grid& grid, Cell cell) {
  view.grid.selection = Selection{{grid.stage, cell}, cell};
}

}  // namespace attn
