// The mouse over the cells: pointing, clicking, scrubbing, selecting.
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/cells/cell_parts.h"
#include "app/cells/cell_text.h"
#include "app/frame/visible_stages.h"
#include "app/theme/toolkit.h"

namespace attn {
namespace {

constexpr float kThreshold = 3;  // pixels at scale 1 before a press becomes a drag
constexpr double kFiner = 0.1, kCoarser = 10;

// A hundredth of the numbers' order of magnitude for each pixel: 0.01 where they reach from -9 to 9.
double scrub_step(const Grid& grid, float start) {
  const double size =
      std::max({static_cast<double>(grid.map.range), std::abs(static_cast<double>(start)), 1e-6});
  return std::pow(10, std::floor(std::log10(size))) / 100;
}

bool two_buttons(const Grid& grid) {
  return grid.edits.paint && grid.edits.paint->two_buttons;
}

// The one that is held, or was until this frame.
int painting_button(const Grid& grid) {
  const ImGuiIO& io = ImGui::GetIO();
  return two_buttons(grid) && (io.MouseDown[1] || io.MouseReleased[1]) ? 1 : 0;
}

ImVec2 pressed_at(int button = 0) {
  return ImGui::GetIO().MouseClickedPos[button];
}

// What a stroke, or a click, that begins there makes of its cells.
bool puts_on(const Frame& frame, const Grid& grid, Cell from, int button) {
  return two_buttons(grid) ? button == 0 : !grid.edits.paint->is_on(frame.draft, from);
}

void begin_drag(Frame& frame, const Grid& grid, Cell from, int button) {
  View& view = frame.view;
  const ImGuiIO& io = ImGui::GetIO();
  if (!finish_entry(frame)) return;
  select_cell(view, grid, from);
  if (grid.edits.paint) {
    view.grid.drag = Drag{.kind = io.KeyShift ? Drag::select : Drag::paint,
                          .from = {grid.stage, from},
                          .paints = true,
                          .hides = puts_on(frame, grid, from, button),
                          .stroke = {from}};
    return;
  }
  if (!grid.input || io.KeyCtrl) {
    view.grid.drag = Drag{.kind = Drag::select, .from = {grid.stage, from}};
    return;
  }
  // The way up to the threshold counts too; this frame's part of it is scrub()'s to add.
  const float value = grid.values[from], start = std::isfinite(value) ? value : 0;
  view.grid.drag = Drag{.kind = Drag::scrub,
                        .from = {grid.stage, from},
                        .start_value = start,
                        .travelled = io.MousePos.x - pressed_at().x - io.MouseDelta.x,
                        .step = scrub_step(grid, start)};
}

void scrub(Frame& frame, const Grid& grid, Drag& drag) {
  const ImGuiIO& io = ImGui::GetIO();
  drag.travelled += io.MouseDelta.x * (io.KeyShift ? kFiner : io.KeyAlt ? kCoarser : 1);
  const double steps = std::round(drag.travelled * 10) / 10;  // whole tenths keep the number short
  const double value = drag.start_value + steps * drag.step;
  const CellValue number{drag.from.cell, static_cast<float>(value)};
  try_edit(frame, [&] { grid.edits.set(frame.draft, {&number, 1}); });
  ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
}

void paint(Frame& frame, const Grid& grid, std::span<const Cell> cells, bool hide) {
  try_edit(frame, [&] { grid.edits.paint->set(frame.draft, cells, hide); });
}

// Adds all cells between this frame's pointer and the last one's: a fast stroke has no holes. They are
// painted when the button is let go: the first of them can add a matrix, and the others would move away under
// the pointer.
void brush(const Grid& grid, const CellLayout& layout, Drag& drag) {
  const ImGuiIO& io = ImGui::GetIO();
  const Rect one = layout.cell(0, 0);
  const float side = std::max(1.0f, std::min(one.width(), one.height()));
  const float way = std::max(std::abs(io.MouseDelta.x), std::abs(io.MouseDelta.y));
  const int steps = static_cast<int>(std::ceil(2 * way / side));
  for (int i = 0; i <= steps; ++i) {
    const float back = steps == 0 ? 0 : static_cast<float>(i) / static_cast<float>(steps);
    const ImVec2 at{io.MousePos.x - back * io.MouseDelta.x, io.MousePos.y - back * io.MouseDelta.y};
    if (!layout.cells.contains(at)) continue;
    const Cell cell = layout.at(at, grid.head);
    if (std::ranges::count(drag.stroke, cell) == 0) drag.stroke.push_back(cell);
  }
}

std::vector<Cell> cells_of(const Region& block) {
  std::vector<Cell> cells;
  for (std::size_t row = block.begin.row; row < block.end.row; ++row)
    for (std::size_t column = block.begin.column; column < block.end.column; ++column)
      cells.push_back({block.begin.head, row, column});
  return cells;
}

void while_held(Frame& frame, const Grid& grid, const CellLayout& layout, int button) {
  View& view = frame.view;
  const ImVec2 mouse = ImGui::GetIO().MousePos, from = pressed_at(button);
  const float moved = std::max(std::abs(mouse.x - from.x), std::abs(mouse.y - from.y));
  if (!view.grid.drag && moved > frame.theme.px(kThreshold))
    begin_drag(frame, grid, layout.at(from, grid.head), button);
  if (!view.grid.drag || view.grid.drag->from.stage != grid.stage) return;
  if (view.grid.drag->kind == Drag::scrub) scrub(frame, grid, *view.grid.drag);
  if (view.grid.drag->kind == Drag::paint) brush(grid, layout, *view.grid.drag);
  if (view.grid.drag->kind == Drag::select && view.grid.selection)
    view.grid.selection->cursor = layout.at(mouse, grid.head);
}

void click(Frame& frame, const Grid& grid, Cell cell, int button) {
  View& view = frame.view;
  if (!finish_entry(frame)) return;
  if (ImGui::GetIO().KeyShift && selection_on(grid, view)) {
    view.grid.selection->cursor = cell;
    return;
  }
  select_cell(view, grid, cell);
  if (grid.edits.paint) return paint(frame, grid, {&cell, 1}, puts_on(frame, grid, cell, button));
  view.pinned = Spot{grid.stage, cell};
}

// What a stroke passed, or a block that was drawn, is painted when the button is let go.
void end_drag(Frame& frame, const Grid& grid) {
  View& view = frame.view;
  const Drag drag = *std::exchange(view.grid.drag, {});
  if (!grid.edits.paint || !drag.paints) return;
  const Selection* selection = selection_on(grid, view);
  if (drag.kind == Drag::paint)
    paint(frame, grid, drag.stroke, drag.hides);
  else if (selection)
    paint(frame, grid, cells_of(block_of(*selection)), drag.hides);
}

// Where there are none to be read a double-click opens no number.
bool numbers_are_written(const Frame& frame, const Grid& grid, const CellLayout& layout) {
  return !layout.texture || number_style(layout, grid, frame.theme).font;
}

// A notch over a cell that takes it is nobody else's.
void turn(Frame& frame, const Grid& grid, Cell cell) {
  ImGuiIO& io = ImGui::GetIO();
  if (!grid.edits.paint || !grid.edits.paint->turn || io.KeyCtrl) return;
  keep_wheel();
  const float notches = std::exchange(io.MouseWheel, 0.0f);
  if (notches == 0 || !finish_entry(frame)) return;
  select_cell(frame.view, grid, cell);
  try_edit(frame, [&] { grid.edits.paint->turn(frame.draft, cell, static_cast<double>(notches)); });
}

void open_menu(Frame& frame, const Grid& grid, Cell cell) {
  if (!finish_entry(frame)) return;
  const Selection* selection = selection_on(grid, frame.view);
  if (!selection || !block_of(*selection).contains(cell)) select_cell(frame.view, grid, cell);
  ImGui::OpenPopup("menu");
}

}  // namespace

void cell_mouse(Frame& frame, const Grid& grid, const CellLayout& layout) {
  View& view = frame.view;
  const ImGuiIO& io = ImGui::GetIO();
  ImGui::SetCursorScreenPos(layout.cells.min);
  ImGui::InvisibleButton("cells", {layout.cells.width(), layout.cells.height()},
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
  const bool hovered = ImGui::IsItemHovered();
  const Cell under = layout.at(io.MousePos, grid.head);
  const int button = painting_button(grid);
  if (ImGui::IsItemActive() && io.MouseDown[button]) while_held(frame, grid, layout, button);
  const bool dragging = view.grid.drag.has_value(),
             here = dragging && view.grid.drag->from.stage == grid.stage;
  if (here && view.grid.drag->kind == Drag::scrub)
    view.hovered = view.grid.drag->from;
  else if (hovered && !dragging)
    view.hovered = Spot{grid.stage, under};
  if (hovered && grid.input && !dragging) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  // The second release of a double click is no click: the entry is open by then.
  const bool released = hovered && io.MouseReleased[button] && ImGui::IsItemDeactivated();
  if (released && !dragging && io.MouseClickedLastCount[button] == 1) click(frame, grid, under, button);
  const bool twice = hovered && io.MouseDoubleClicked[0] && !io.KeyShift && !two_buttons(grid);
  if (twice && grid.fills && !numbers_are_written(frame, grid, layout)) {
    toggle_filled(frame.canvas(), grid.stage);
  } else if (twice && finish_entry(frame)) {
    select_cell(view, grid, under);
    start_entry(frame, grid, "");
  }
  if (hovered && io.MouseReleased[1] && button == 0) open_menu(frame, grid, under);
  if (hovered && !dragging) turn(frame, grid, under);
  if (here && io.MouseReleased[button] && view.grid.drag->kind != Drag::row && ImGui::IsItemDeactivated())
    end_drag(frame, grid);
}

}  // namespace attn
