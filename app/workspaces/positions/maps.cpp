// The encoding as a map with the two positions on it, and how alike all positions are.

#include "app/theme/toolkit.h"
#include "app/widgets/strokes.h"
#include "app/workspaces/positions/scene.h"
#include "app/workspaces/positions/view.h"
#include "core/attention/position_fields.h"

namespace attn {
namespace {

constexpr float kRowNames = 46;  // room at the right, for the names of rows
constexpr float kBarRoom = 20;

// A click looks at its position and draws its dimension; a drag looks at the positions that it crosses.
void follow_mouse(PositionsScene& scene, const Grid& grid, const std::optional<Spot>& pinned_before) {
  View& view = scene.frame.view;
  if (view.grid.drag && view.grid.drag->from.stage == grid.stage && view.grid.selection)
    view.of<PositionsView>().p = view.grid.selection->cursor.row;
  if (view.pinned == pinned_before || !view.pinned || view.pinned->stage != grid.stage) return;
  view.of<PositionsView>().p = view.pinned->cell.row;
  draw_dimension(scene.frame.draft.positions, view.pinned->cell.column);
}

// Where a learned table ends there are no numbers: hatching and words, never a row.
void draw_missing(const PositionsScene& scene, Rect area, const std::string& words) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(area.min, area.max, theme.masked);
  list.PushClipRect(area.min, area.max, true);
  const float step = theme.px(7);
  for (float x = area.min.x - area.height(); x < area.max.x; x += step)
    list.AddLine({x, area.max.y}, {x + area.height(), area.min.y}, theme.hatch, theme.px(1));
  list.PopClipRect();
  const ImFont* font = theme.fonts.small;
  const std::string shown = elided(font, words, area.width() - theme.px(12));
  if (area.height() < font_size(font)) return;
  const ImVec2 at{area.min.x + theme.px(6), (area.min.y + area.max.y - font_size(font)) / 2};
  list.AddRectFilled({at.x - theme.px(3), at.y - theme.px(1)},
                     {at.x + text_width(font, shown) + theme.px(3), at.y + font_size(font) + theme.px(1)},
                     theme.canvas, theme.px(3));
  draw_text(list, font, at, theme.bad, shown);
}

void draw_end_of_training(const PositionsScene& scene, const Grid& grid) {
  const Theme& theme = scene.frame.theme;
  if (scene.spec.trained >= grid.shape.rows) return;
  const Rect row = row_rect(scene.frame, grid, scene.spec.trained);
  const std::array line{ImVec2{row.min.x, row.min.y}, ImVec2{row.max.x, row.min.y}};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  draw_dashes(list, theme, line, theme.bad, theme.px(1.25f), theme.px(4), theme.px(3));
  const ImFont* font = theme.fonts.small;
  draw_text(list, font, {row.max.x + theme.px(5), row.min.y - font_size(font) / 2}, theme.bad, "L_max");
}

void draw_columns(const PositionsScene& scene, const Grid& grid) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  std::size_t colour = 0;
  for (const std::size_t dimension : scene.spec.dimensions) {
    const ImU32 ink = series_colour(colour++);
    if (dimension >= grid.shape.columns) continue;
    const Rect top = cell_rect(grid, scene.frame, 0, dimension);
    list.AddRectFilled({top.min.x, top.min.y - theme.px(3)}, {top.max.x, top.min.y - theme.px(1)}, ink);
  }
}

void draw_nothing(const PositionsScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  draw_title(list, theme, area.min, theme.text, "no encoding", {}, area.width());
  constexpr const char* kNothing =
      "Nothing says where a token stands: the scores below depend on the tokens alone, and the two orders at "
      "the end give the same outputs. Choose a kind at the left.";
  draw_text(list, theme.fonts.body, {area.min.x, area.min.y + theme.px(30)}, theme.dim,
            wrapped(theme.fonts.body, kNothing, area.width()));
}

}  // namespace

void draw_position_map(PositionsScene& scene, Rect area) {
  const auto stage = scene.stage(scene.places.map);
  if (!stage) return draw_nothing(scene, area);
  View& view = scene.frame.view;
  const bool rows = has_rows(fitted(scene.shown(), scene.spec));
  const Rect room{area.min, {area.max.x - scene.frame.theme.px(kRowNames), area.max.y}};
  const Grid grid = fitted_grid(scene.frame, *stage, scene.head, room, rows ? scene.spec.length : 0);
  const std::optional<Spot> pinned = view.pinned;
  draw_grid(scene.frame, grid);
  follow_mouse(scene, grid, pinned);
  if (!rows) return;
  draw_columns(scene, grid);
  if (grid.shape.rows < scene.spec.length) {
    const Rect last = row_rect(scene.frame, grid, grid.shape.rows - 1);
    draw_missing(scene, {{last.min.x, last.max.y}, {last.max.x, area.max.y - scene.frame.theme.px(kBarRoom)}},
                 "no row from position " + std::to_string(grid.shape.rows) + " on: the table ends");
  } else {
    draw_end_of_training(scene, grid);
  }
  const TwoPositions at = two_positions(view.of<PositionsView>(), grid.shape.rows);
  outline_row(scene.frame.theme, row_rect(scene.frame, grid, at.q), scene.frame.theme.warning, "p+Δ");
  outline_row(scene.frame.theme, row_rect(scene.frame, grid, at.p), scene.frame.theme.outline, "p");
}

void draw_alike(PositionsScene& scene, Rect area) {
  const auto stage = scene.stage(scene.places.alike);
  if (!stage) return;
  Grid grid = fitted_grid(scene.frame, *stage, 0, area);
  if (grid.shape.rows < map_rows(scene.spec)) grid.subtitle.push_back({"the first ones"});
  View& view = scene.frame.view;
  const std::optional<Spot> pinned = view.pinned;
  draw_grid(scene.frame, grid);
  if (!has_rows(fitted(scene.shown(), scene.spec))) return;
  // Its cells are pairs of positions.
  const auto look_at = [&](Cell cell) {
    view.of<PositionsView>().p = cell.row;
    view.of<PositionsView>().delta =
        static_cast<std::ptrdiff_t>(cell.column) - static_cast<std::ptrdiff_t>(cell.row);
  };
  if (view.grid.drag && view.grid.drag->from.stage == grid.stage && view.grid.selection)
    look_at(view.grid.selection->cursor);
  if (view.pinned != pinned && view.pinned && view.pinned->stage == grid.stage) look_at(view.pinned->cell);
  // The cell of the two positions.
  const TwoPositions at = two_positions(scene.view(), grid.shape.rows);
  Rect cell = cell_rect(grid, scene.frame, at.p, at.q);
  const float least = scene.frame.theme.px(5);
  if (cell.width() < least) cell.max.x = cell.min.x + least;
  if (cell.height() < least) cell.max.y = cell.min.y + least;
  ImGui::GetWindowDrawList()->AddRect(cell.min, cell.max, scene.frame.theme.warning, 0, 0,
                                      scene.frame.theme.px(1.5f));
}

}  // namespace attn
