#include "app/widgets/matrix_grid.h"

#include <algorithm>
#include <cmath>

#include "app/keys.h"
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
  if (view.pasting && outside(view.pasting->at, grid)) view.pasting.reset();
  if (view.selection && (outside(view.selection->anchor, grid) ||
                         outside({view.selection->anchor.stage, view.selection->cursor}, grid))) {
    view.selection.reset();
    view.typing.reset();
  }
}

// Esc closes what is open, then unpins: what it closed in this frame or before it was drawn is open_frame's.
void escape(View& view) {
  const bool open = view.typing || view.renaming || view.pasting || view.palette_open || view.keys_open ||
                    view.files.open || ImGui::IsAnyItemActive() ||
                    ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  if (open) view.open_frame = ImGui::GetFrameCount();
  if (view.open_frame + 1 >= ImGui::GetFrameCount() || !key_pressed(GLFW_KEY_ESCAPE, false)) return;
  view.pinned.reset();
  view.selection.reset();
}

float largest_magnitude(const Tensor& values) {
  float largest = 0;
  for (const float v : values.values())
    if (std::isfinite(v)) largest = std::max(largest, std::abs(v));
  return largest;
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
  escape(frame.view);
  forget_lost_cells(frame.view, grid);
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

ColourMap colour_map_of(const Frame& frame, const std::string& stage, const Tensor& values) {
  const bool weights = stage == "weights" || stage == "dropped" || stage == "mask" || stage == "user_mask";
  ColourMap map;
  map.range = weights ? 1 : largest_magnitude(values);
  if (map.range == 0) map.range = 1;
  if (weights)
    map.kind =
        frame.view.settings.weight_colours == WeightColours::cividis ? MapKind::cividis : MapKind::viridis;
  for (const auto& [locked, range] : frame.view.locked_ranges)
    if (locked == stage) map.range = range;
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
  view.selection = Selection{{grid.stage, cell}, cell};
}

}  // namespace attn
