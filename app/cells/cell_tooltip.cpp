// What a cell says when the pointer rests on it.
#include <cmath>

#include "app/cells/cell_draw.h"
#include "app/cells/cell_parts.h"
#include "app/cells/cell_text.h"
#include "app/frame/before.h"
#include "app/frame/workspace.h"
#include "app/widgets/tooltip.h"

namespace attn {
namespace {

std::string name_of(const Grid& grid, Cell cell) {
  return grid.title + "[" + axis_label(grid.rows, cell.row) + ", " + axis_label(grid.columns, cell.column) +
         "]";
}

// What the number alone does not say; empty: nothing.
std::string explanation(const Frame& frame, const Grid& grid, Cell cell) {
  const float value = grid.values.holds(cell) ? grid.values[cell] : 0;
  const auto stage = frame.graph.find(grid.stage);
  if (is_overridden(frame.draft, frame.workspace, grid.stage, cell)) {
    const auto from = stage ? frame.graph.stages[*stage].computed_from : std::nullopt;
    const StageResult computed = from && frame.results ? frame.results->outputs[*from] : StageResult();
    return "overridden by you" +
           (computed.holds(cell) ? "; computed: " + exact_text(computed[cell]) : std::string()) +
           "\nBackspace removes the override";
  }
  if (std::isnan(value) && stage && frame.graph.stages[*stage].gaps) return "empty: there is no number here";
  if (is_masked(grid, cell)) return "masked: this query does not see this key";
  if (std::isnan(value)) return "not a number";
  if (std::isinf(value)) return value > 0 ? "plus infinity" : "minus infinity";
  return {};
}

// The number that a changed cell had when results were pinned; while those are drawn, the one of now.
std::string other_number(const Frame& frame, const Grid& grid, Cell cell) {
  const auto before = number_before(frame, {grid.stage, cell});
  if (!before) return {};
  return frame.view.before.shown ? "now " + exact_text(frame.results->result(grid.stage)[cell])
                                 : "before " + exact_text(*before);
}

}  // namespace

void draw_tooltip(const Frame& frame, const Grid& grid, const CellLayout& layout) {
  const auto& hovered = frame.view.hovered;
  if (!hovered || hovered->stage != grid.stage || frame.view.grid.drag || frame.view.grid.typing) return;
  if (!layout.cells.contains(ImGui::GetIO().MousePos)) return;
  const Cell cell = hovered->cell;
  std::string text = explanation(frame, grid, cell);
  if (const std::string other = other_number(frame, grid, cell); !other.empty())
    text += (text.empty() ? "" : "\n") + other;
  if (!grid.values.holds(cell)) return show_tooltip(name_of(grid, cell) + " = …");
  const NumberStyle style = number_style(layout, grid, frame.theme);
  const FittedText shown = fitted_number(style, grid.values[cell]);
  const bool written = !layout.texture && !shown.text.empty() && shown.text != kTooLong;
  if (text.empty() && written) return;  // the cell says it all
  const std::string number = name_of(grid, cell) + " = " + exact_text(grid.values[cell]);
  show_tooltip(text.empty() ? number : number + "\n" + text);
}

}  // namespace attn
