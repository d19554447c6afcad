// The map that is painted, beside it the one that comes of it.
#include <algorithm>
#include <cmath>

#include "app/canvas/edits.h"
#include "app/cells/cell_draw.h"
#include "app/cells/cell_text.h"
#include "app/theme/toolkit.h"
#include "app/widgets/chips.h"
#include "app/widgets/focus.h"
#include "app/widgets/tooltip.h"
#include "app/workspaces/gradients/descend.h"

namespace attn {
namespace {

std::shared_ptr<const CellPaint> brush_of(const PaintedHead& head) {
  return std::make_shared<CellPaint>(
      CellPaint{.is_on = [](const Document&, Cell) { return false; },
                .set = [head](Document& document, std::span<const Cell> cells,
                              bool on) { paint_wanted(document.gradients, head, cells, on); },
                .two_buttons = true,
                .turn = [head](Document& document, Cell cell,
                               double notches) { turn_share(document.gradients, head, cell, notches); }});
}

// Of the two maps alike: rows are named at the left one alone.
Grid map_in(const DescendScene& scene, StageIndex stage, std::size_t head, Rect area, bool labelled) {
  const Frame& frame = scene.scene.frame;
  Grid grid = fitted_grid(frame, stage, head, area, 0, labelled);
  grid.role = Role::plain, grid.compact = true, grid.column_labels = false, grid.opacity = 1;
  grid.subtitle = {}, grid.leak.reset();
  fit_cells(frame, grid, area);
  return grid;
}

// The map has no edits: what is pointed at is a number of the descent, no stage's.
void explain_learnt(const DescendScene& scene, const Grid& grid, const CellLayout& layout) {
  ImGui::SetCursorScreenPos(layout.cells.min);
  ImGui::InvisibleButton("learnt", {layout.cells.width(), layout.cells.height()});
  draw_focus_ring(scene.scene.frame.theme, scene.scene.frame.theme.px(3));
  if (!ImGui::IsItemHovered() || !wants_tooltip()) return;
  const Cell at = layout.at(ImGui::GetIO().MousePos, grid.head), cell{0, at.row, at.column};
  std::string words = "at step " + std::to_string(scene.step) + " " + axis_label(grid.rows, cell.row) +
                      " gives " + axis_label(grid.columns, cell.column) + " " + exact_text(grid.values[at]);
  if (scene.painted) words += ", wanted is " + exact_text(scene.task.wanted[cell]);
  if (scene.head.masked(cell.row, cell.column)) words = "masked: this query does not see this key";
  show_tooltip(words);
}

}  // namespace

void draw_wanted_map(DescendScene& scene, Rect area) {
  Grid grid = map_in(scene, scene.scene.places().wanted, 0, area, true);
  grid.title = "wanted, painted";
  grid.title_until = area.max.x;
  if (!scene.head.mask.empty()) grid.mask = scene.head.mask;
  grid.edits.paint = brush_of(scene.head);
  draw_grid(scene.scene.frame, grid);
}

void draw_learnt_map(DescendScene& scene, Rect area) {
  Frame& frame = scene.scene.frame;
  DescendMemo& memo = scene.memo;
  Grid grid = map_in(scene, scene.scene.places().layer.weights, scene.scene.head, area, false);
  if (scene.moving()) {
    if (memo.summed != scene.weights.id())
      memo.summed = scene.weights.id(), memo.summary = summarize(scene.weights, scene.head.mask, true);
    grid.values = scene.weights, grid.shape = scene.weights.shape(), grid.summary = memo.summary;
    grid.head = 0, grid.own_range = false;
    if (!scene.head.mask.empty()) grid.mask = scene.head.mask;
  }
  const CellLayout layout = cell_layout(grid, frame);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  draw_title(list, frame.theme, area.min, frame.theme.text,
             scene.moving() ? "weights at step " + std::to_string(scene.step) : "weights", {}, area.width());
  draw_cells(list, frame, grid, layout);
  explain_learnt(scene, grid, layout);
}

void draw_beginnings(DescendScene& scene, Rect area) {
  Frame& frame = scene.scene.frame;
  const Theme& theme = frame.theme;
  const ImFont* font = theme.fonts.small;
  const bool refused = !scene.words.empty();
  const std::string words =
      refused ? scene.words : "Which key should each query look at? Drag over the left map, or begin with";
  const std::string lines = wrapped(font, words, area.width());
  draw_text(*ImGui::GetWindowDrawList(), font, area.min, refused ? theme.warning : theme.dim, lines);
  if (refused) return;
  const float below = font->CalcTextSizeA(font_size(font), 1e6f, 0, lines.c_str()).y + theme.px(8);
  ImGui::SetCursorScreenPos({area.min.x, area.min.y + below});
  ChipRow row(theme, area.min.x, area.max.x);
  const auto begin = [&](const char* text, const char* tooltip, WantedPattern pattern) {
    if (!row.add({.id = text, .text = text, .tooltip = tooltip})) return;
    attempt(frame, [&](LayerAt in) { paint_pattern(in.document.gradients, scene.head, pattern); });
  };
  begin("previous token", "each query should look at the token before it", WantedPattern::previous);
  begin("itself", "each query should look at its own token", WantedPattern::itself);
  begin("next token", "each query should look at the token after it", WantedPattern::next);
}

}  // namespace attn
