// A matrix grid, put together from its parts.
#include "app/cells/matrix_grid.h"

#include <algorithm>

#include "app/cells/cell_draw.h"
#include "app/cells/cell_parts.h"
#include "app/cells/lit_marks.h"
#include "app/frame/drawn_parts.h"
#include "app/frame/visible_stages.h"
#include "core/system/error.h"

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

constexpr float kNearlyBlack = 0.1f;  // a map whose largest weight is below

// Of one matrix; weights are not negative.
float largest_of(const Grid& grid, std::size_t matrix) {
  return matrix < grid.summary.matrices.size() ? grid.summary.matrices[matrix].most : 0;
}

// Of all maps of weights that a layer shows.
float largest_weight(const Frame& frame, const Stage& stage, const Grid& grid) {
  float most = grid.summary.all.most;
  for (StageIndex i = 0; frame.results && i < frame.results->graph.stages.size(); ++i) {
    const Stage& other = frame.results->graph.stages[i];
    if (other.part == stage.part && other.role == Role::weights && other.range == Range::unit &&
        on_screen(other, frame.view))
      most = std::max(most, frame.results->summaries[i].all.most);
  }
  return most;
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

Rect grid_area(const Grid& grid, const Frame& frame) {
  const Rect whole = cell_layout(grid, frame).whole;
  const float margin = frame.theme.px(kSignGap);
  return {{whole.min.x - margin, whole.min.y - margin},
          {std::max(whole.max.x, grid.title_until) + margin, whole.max.y + margin}};
}

NumbersWriter numbers_of(const Grid& grid) {
  NamedMatrix matrix{.name = grid.stage, .values = grid.values.whole(), .head = grid.head};
  for (std::size_t i = 0; i < grid.values.rows(); ++i) matrix.rows.push_back(axis_label(grid.rows, i));
  for (std::size_t j = 0; j < grid.values.columns(); ++j)
    matrix.columns.push_back(axis_label(grid.columns, j));
  return [matrix = std::move(matrix)](NumbersFormat format) { return matrix_file(matrix, format); };
}

void draw_grid(Frame& frame, const Grid& grid) {
  if (!grid.drawn()) return;
  const CellLayout layout = cell_layout(grid, frame);
  forget_lost_cells(frame.view, grid);
  frame.view.grid.heads[grid.stage] = grid.head;
  DrawnParts& parts = frame.memos.of<DrawnParts>();
  parts.matrices.push_back(part_here(grid.stage, grid_area(grid, frame)));
  if (parts.with_numbers && grid.values.here()) parts.matrices.back().numbers = numbers_of(grid);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGui::PushID(grid.stage.c_str());
  draw_cells(list, frame, grid, layout);
  draw_labels(list, frame, grid, layout);
  if (layout.bar) draw_range(list, frame, grid, layout);
  // Before the cells: the mouse finds them first.
  const bool typing = draw_entry(frame, grid, layout);
  draw_leak(list, frame, grid, layout);
  take_keyboard(frame, grid);
  cell_mouse(frame, grid, layout);
  if (!typing) cell_keys(frame, grid);
  draw_menu(frame, grid);
  draw_paste(frame, grid, layout);
  draw_changes(list, frame, grid, layout);
  draw_marks(list, frame, grid, layout);
  draw_lit_marks(list, frame, grid, layout);
  draw_tooltip(frame, grid, layout);
  ImGui::PopID();
}

void set_colour_map(const Frame& frame, const Stage& stage, Grid& grid) {
  const Settings& settings = frame.view.settings;
  const bool fixed = stage.range == Range::unit || stage.range == Range::mask;
  const bool weights = stage.role == Role::weights && stage.range == Range::unit;
  const auto lock =
      std::ranges::find(frame.view.grid.locked_ranges, stage.id, &std::pair<std::string, float>::first);
  const bool locked = lock != frame.view.grid.locked_ranges.end();
  ColourMap& map = grid.map;
  map.range = fixed ? 1 : grid.summary.largest();
  if (weights && settings.weight_range == WeightRange::own) map.range = largest_of(grid, grid.head);
  if (weights && settings.weight_range == WeightRange::shared) map.range = largest_weight(frame, stage, grid);
  if (map.range == 0) map.range = 1;
  if (locked) map.range = lock->second;
  if (fixed) map.kind = frame.theme.weights;
  grid.own_range = weights && !locked && settings.weight_range == WeightRange::own;
  const float most = largest_of(grid, grid.head);
  grid.offers_range = weights && !locked && map.range == 1 && most > 0 && most < kNearlyBlack;
}

ColourMap map_of_head(const Grid& grid, std::size_t head) {
  ColourMap map = grid.map;
  if (!grid.own_range) return map;
  const float most = largest_of(grid, head);
  map.range = most > 0 ? most : 1;
  return map;
}

void try_edit(Frame& frame, const std::function<void()>& edit) {
  try {
    edit();
  } catch (const Error& error) {
    frame.view.say(error.what(), true);
  }
}

void select_cell(View& view, const Grid& grid, Cell cell) {
  view.grid.selection = Selection{{grid.stage, cell}, cell};
}

}  // namespace attn
