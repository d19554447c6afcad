// The canvas that compares: a row for each stage, A, the layer beside it, and their difference.
#include "app/workspaces/compare/row.h"

#include <algorithm>
#include <array>

#include "app/canvas/canvas.h"
#include "app/canvas/fitted_grid.h"
#include "app/canvas/notice.h"
#include "app/canvas/progress.h"
#include "app/canvas/shelf.h"
#include "app/canvas/steps.h"
#include "app/frame/sight.h"
#include "app/theme/toolkit.h"
#include "app/workspaces/compare/scene.h"
#include "core/compare/fields.h"
#include "core/document/layer_plan.h"

namespace attn {
namespace {

constexpr float kHead = 30, kCell = 30, kAround = 66, kLeast = 110, kMostColumn = 380;
constexpr std::size_t kColumns = 3;

using Columns = std::array<std::optional<StageIndex>, kColumns>;

Columns columns_of(const ComparedStage& row) {
  return {row.a, row.b, row.difference};
}

struct CompareRow {
  ComparedStage compared;
  Rect place;

  Columns stages() const { return columns_of(compared); }
  StageIndex step() const { return compared.either(); }  // whose step dims it
};

std::vector<CompareRow> rows_of(const Frame& frame, const CompareFigures& figures, ImVec2 canvas) {
  const Theme& theme = frame.theme;
  std::vector<CompareRow> rows;
  Shelf shelf{theme.px(kSceneMargin), canvas.x - theme.px(kSceneMargin), theme.px(kHead + 8)};
  for (const ComparedStage& compared : figures.stages) {
    const Stage& stage = frame.graph.stages[compared.either()];
    if (!on_screen(stage, frame.view)) continue;
    const float wanted = kAround + kCell * static_cast<float>(stage.shape.rows);
    const float height = theme.px(std::clamp(wanted, kLeast, kMostColumn)) * frame.canvas().zoom;
    rows.push_back({compared, shelf.take(height, theme.px(8))});
  }
  return rows;
}

// A and the layer beside it reach as far as the one that reaches further.
void share_colours(std::array<std::optional<Grid>, kColumns>& grids) {
  if (!grids[0] || !grids[1]) return;
  const float range = std::max(grids[0]->map.range, grids[1]->map.range);
  grids[0]->map.range = grids[1]->map.range = range;
}

Rect area_of(const Theme& theme, Rect row, std::size_t column) {
  const auto share = [](std::size_t i) { return static_cast<float>(i) / static_cast<float>(kColumns); };
  return part_of(row, share(column), share(column + 1), theme.px(kWideGap));
}

std::optional<Grid> grid_of(Frame& frame, StageIndex stage, Rect area) {
  Grid grid = fitted_grid(frame, stage, frame.view.layer.head, area);
  const float pitch = kCell * frame.canvas().zoom;
  grid.cell_width = std::min(grid.cell_width, pitch * 1.4f);
  grid.cell_height = std::min(grid.cell_height, pitch);
  grid.title_until = area.max.x;
  if (grid.values.empty()) return std::nullopt;
  return grid;
}

// What is so where a column has no matrix of the row, below the stage's title, in line with the matrices.
void draw_absence(const Frame& frame, Rect area, const CompareRow& row, std::size_t column) {
  const Theme& theme = frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont* font = theme.fonts.small;
  const ImU32 ink = with_alpha(theme.dim, stage_opacity(frame.view, frame.steps, row.step()));
  draw_title(list, theme, area.min, ink, frame.graph.stages[row.step()].title, {}, area.width());
  draw_text(list, font, {area.min.x, area.min.y + theme.px(kTitleHeight)}, ink,
            wrapped(font, absence_words(frame.graph, row.compared, column), area.width()));
}

// Pointing at a number outlines the same one in the other layer and in the difference.
void outline_same(const Frame& frame, const std::array<std::optional<Grid>, kColumns>& grids) {
  const auto& focus = frame.view.focus();
  if (!focus) return;
  const auto is_there = [&](const auto& grid) { return grid && grid->stage == focus->stage; };
  if (std::ranges::none_of(grids, is_there)) return;
  const Cell cell = focus->cell;
  for (const auto& grid : grids) {
    if (!grid || grid->stage == focus->stage || cell.row >= grid->shape.rows ||
        cell.column >= grid->shape.columns)
      continue;
    const Rect box = cell_rect(*grid, frame, cell.row, cell.column);
    ImGui::GetWindowDrawList()->AddRect(box.min, box.max, frame.theme.outline, frame.theme.px(2), 0,
                                        frame.theme.px(2));
  }
}

void draw_row(Frame& frame, const CompareRow& row, ImVec2 origin) {
  std::array<std::optional<Grid>, kColumns> grids;
  const Rect place = moved(row.place, origin);
  for (std::size_t c = 0; c < kColumns; ++c) {
    const Rect area = area_of(frame.theme, place, c);
    const auto stage = row.stages()[c];
    if (stage)
      grids[c] = grid_of(frame, *stage, area);
    else
      draw_absence(frame, area, row, c);
    if (!grids[c]) continue;
    grids[c]->opacity = stage_opacity(frame.view, frame.steps, row.step());
    grids[c]->role = frame.graph.stages[row.step()].role;
  }
  if (frame.draft.compare.same_colours) share_colours(grids);
  for (const auto& grid : grids)
    if (grid) draw_grid(frame, *grid);
  outline_same(frame, grids);
}

// They stay while what is below them scrolls.
void draw_heads_of_columns(const Frame& frame, Rect canvas) {
  const Theme& theme = frame.theme;
  const CompareSpec& spec = frame.draft.compare;
  const std::string figure(compare_field::figure.titles()[spec.figure]);
  const std::string name = beside_name(frame.draft);
  const std::vector<std::string> differing = differences_from_a(frame.draft, shown_beside(frame.draft));
  std::string difference = figure;
  if (const auto at = difference.find('B'); at != std::string::npos) difference.replace(at, 1, name);
  const std::array<std::string, kColumns> titles{"A", name, difference};
  const std::array<ImU32, kColumns> inks{theme.query, theme.key, theme.text};
  const float bottom = canvas.min.y + theme.px(kHead);
  const Rect line{{canvas.min.x + theme.px(kSceneMargin), canvas.min.y + theme.px(8)},
                  {canvas.max.x - theme.px(kSceneMargin), bottom}};
  ImGui::GetWindowDrawList()->AddRectFilled(canvas.min, {canvas.max.x, bottom}, theme.canvas);
  for (std::size_t c = 0; c < kColumns; ++c) {
    const Rect place = area_of(theme, line, c);
    Subtitle says;
    if (c == 0) says.push_back({"the Pipeline’s"});
    if (c == 1 && differing.empty()) says.push_back({"as A"});
    for (const std::string& words : differing)
      if (c == 1) says.push_back({words});
    draw_title(*ImGui::GetWindowDrawList(), theme, place.min, inks[c], titles[c], says, place.width());
    if (!says.empty() && ImGui::IsMouseHoveringRect(place.min, place.max))
      ImGui::SetTooltip("%s", (titles[c] + " · " + to_string(says)).c_str());
  }
}

struct CompareMemo {
  CompareFigures figures = {};
  std::size_t bytes() const { return bytes_of_all(figures.stages, figures.differences); }
};

}  // namespace

const CompareFigures* compared_figures(Frame& frame) {
  const auto& results = frame.engine.results;
  if (!has_numbers(results)) return nullptr;
  return &frame.memos
              .of<CompareMemo>(results, [](CompareMemo& memo,
                                           const Results& shown) { memo.figures = compare_figures(shown); })
              .figures;
}

std::string beside_name(const Document& document) {
  return std::string(text_of(shown_beside(document)).name);
}

std::string absence_words(const Graph& graph, const ComparedStage& row, std::size_t column) {
  if (columns_of(row)[column]) return {};
  const auto name = [&](std::size_t part) { return graph.parts[part].title; };
  if (column < 2) return name(column) + " has no such stage";
  if (!row.a || !row.b) return "only in " + name(row.a ? 0 : 1);
  return "another shape: " + to_string(graph.stages[*row.a].shape) + " and " +
         to_string(graph.stages[*row.b].shape);
}

std::optional<std::size_t> compared_place(const Results& results, const CompareFigures& figures,
                                          const std::string& stage) {
  const auto found = results.graph.find(stage);
  for (std::size_t i = 0; found && i < figures.stages.size(); ++i)
    for (const auto& one : columns_of(figures.stages[i]))
      if (one == found) return i;
  return std::nullopt;
}

void draw_compare(Frame& frame, Rect canvas) {
  canvas.min.y += draw_notice(frame, canvas);
  begin_canvas(frame, canvas);
  ImVec2 content{canvas.width(), canvas.height()};
  if (const CompareFigures* figures = compared_figures(frame)) {
    const auto rows = rows_of(frame, *figures, {canvas.width(), canvas.height()});
    if (!rows.empty()) content.y = rows.back().place.max.y + frame.theme.px(kSceneMargin);
    if (const auto stage = take_revealed(frame, frame.graph))
      for (const CompareRow& row : rows)
        if (std::ranges::count(row.stages(), stage) > 0)
          scroll_to(frame, canvas, content,
                    {{row.place.min.x, row.place.min.y - frame.theme.px(kHead)}, row.place.max});
    const ImVec2 origin{canvas.min.x, canvas_origin(frame.canvas(), canvas, content).y};
    for (const CompareRow& row : rows)
      if (in_sight(moved(row.place, origin), canvas)) draw_row(frame, row, origin);
    draw_heads_of_columns(frame, canvas);
  }
  end_canvas(frame, canvas, content);
  draw_progress(frame, canvas);
}

}  // namespace attn
