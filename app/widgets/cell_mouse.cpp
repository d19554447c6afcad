#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/widgets/cell_parts.h"
#include "app/widgets/focus.h"

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

ImVec2 pressed_at() {
  return ImGui::GetIO().MouseClickedPos[0];
}

void begin_drag(Frame& frame, const Grid& grid, Cell from) {
  View& view = frame.view;
  const ImGuiIO& io = ImGui::GetIO();
  if (!finish_entry(frame)) return;
  select_cell(view, grid, from);
  if (!grid.input || io.KeyCtrl) {
    view.drag = Drag{.kind = Drag::select, .from = {grid.stage, from}};
    return;
  }
  const float value = grid.values[from], start = std::isfinite(value) ? value : 0;
  view.drag = Drag{.kind = Drag::scrub,
                   .from = {grid.stage, from},
                   .start_value = start,
                   .travelled = io.MousePos.x - pressed_at().x - io.MouseDelta.x,
                   .step = scrub_step(grid, start)};
}

void scrub(Frame& frame, Drag& drag) {
  const ImGuiIO& io = ImGui::GetIO();
  drag.travelled += io.MouseDelta.x * (io.KeyShift ? kFiner : io.KeyAlt ? kCoarser : 1);
  const double steps = std::round(drag.travelled * 10) / 10;  // whole tenths keep the number short
  const double value = drag.start_value + steps * drag.step;
  set_number(frame.draft, drag.from.stage, drag.from.cell, static_cast<float>(value));
  ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
}

void while_held(Frame& frame, const Grid& grid, const CellLayout& layout) {
  View& view = frame.view;
  const ImVec2 mouse = ImGui::GetIO().MousePos, from = pressed_at();
  const float moved = std::max(std::abs(mouse.x - from.x), std::abs(mouse.y - from.y));
  if (!view.drag && moved > frame.theme.px(kThreshold)) begin_drag(frame, grid, layout.at(from, grid.head));
  if (!view.drag || view.drag->from.stage != grid.stage) return;
  if (view.drag->kind == Drag::scrub) scrub(frame, *view.drag);
  if (view.drag->kind == Drag::select && view.selection) view.selection->cursor = layout.at(mouse, grid.head);
}

void click(Frame& frame, const Grid& grid, Cell cell) {
  View& view = frame.view;
  if (!finish_entry(frame)) return;
  if (ImGui::GetIO().KeyShift && selection_on(grid, view)) {
    view.selection->cursor = cell;
    return;
  }
  select_cell(view, grid, cell);
  view.pinned = Spot{grid.stage, cell};
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
  // The release of the last frame has been answered: a drag that is left lost its grid.
  if (view.drag && !io.MouseDown[0] && !io.MouseReleased[0]) view.drag.reset();
  ImGui::SetCursorScreenPos(layout.cells.min);
  ImGui::InvisibleButton("cells", {layout.cells.width(), layout.cells.height()},
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
  const bool hovered = ImGui::IsItemHovered();
  const Cell under = layout.at(io.MousePos, grid.head);
  if (ImGui::IsItemActive() && io.MouseDown[0]) while_held(frame, grid, layout);
  const bool dragging = view.drag.has_value(), here = dragging && view.drag->from.stage == grid.stage;
  if (here && view.drag->kind == Drag::scrub)
    view.hovered = view.drag->from;
  else if (hovered && !dragging)
    view.hovered = Spot{grid.stage, under};
  if (hovered && grid.input && !dragging) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  const bool released = hovered && io.MouseReleased[0] && ImGui::IsItemDeactivated();
  if (released && !dragging && io.MouseClickedLastCount[0] == 1) click(frame, grid, under);
  if (hovered && io.MouseDoubleClicked[0] && !io.KeyShift && finish_entry(frame)) {
    select_cell(view, grid, under);
    start_entry(frame, grid, "");
  }
  if (hovered && io.MouseReleased[1]) open_menu(frame, grid, under);
  if (here && io.MouseReleased[0] && view.drag->kind != Drag::token && ImGui::IsItemDeactivated())
    view.drag.reset();
}

}  // namespace attn
