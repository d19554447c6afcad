// A stage of a check: strips of all heads, or numbers of one, framed where it is the first that differs.
#include <algorithm>
#include <array>

#include "app/canvas/fitted_grid.h"
#include "app/canvas/shelf.h"
#include "app/canvas/steps.h"
#include "app/cells/head_strip.h"
#include "app/theme/toolkit.h"
#include "app/widgets/press.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/words.h"
#include "app/workspaces/compare/check_rows.h"

namespace attn {
namespace {

constexpr float kColumnNames = 18;                      // points, above the cells of a large row
constexpr float kMapsApart = 8, kFeaturesApart = 1.5f;  // between the maps of heads
constexpr float kFrameBeyond = 10;                      // of the row that differs first, at its sides

struct CheckBrush {
  Frame& frame;
  const CheckRow& row;
  Rect area;
  float opacity;
  Spot pinned;  // of no stage: none

  const Theme& theme() const { return frame.theme; }
  const Stage& ours() const { return frame.graph.stages[row.ours()]; }
  std::size_t head() const { return std::min(frame.view.layer.head, ours().shape.stack - 1); }
  ImDrawList& list() const { return *ImGui::GetWindowDrawList(); }
  ImU32 faded(ImU32 colour) const { return with_alpha(colour, opacity); }
};

// "QKᵀ · scale · head 0 of 0…3", "softmax by row · 4 heads · 5×5".
Subtitle row_says(const CheckBrush& b) {
  const Shape& shape = b.ours().shape;
  Subtitle says;
  if (!b.ours().formula.empty()) says.push_back({.text = b.ours().formula});
  const std::string heads = std::to_string(shape.stack);
  if (shape.stack > 1 && b.row.large)
    says.push_back({"head " + std::to_string(b.head()) + " of 0…" + std::to_string(shape.stack - 1), true});
  if (shape.stack > 1 && !b.row.large) says.push_back({.text = heads + " heads"});
  says.push_back({.text = to_string(Shape{1, shape.rows, shape.columns})});
  return says;
}

// While mistakes are shown in ours.
VerdictWords words_with_mistakes(const Theme& theme, const StageVerdict& verdict) {
  if (!verdict.same_shape) return {"with it another shape", theme.warning};
  if (verdict.equal) return {"with it equal, " + short_number(verdict.largest) + " ✓", theme.good};
  return {"with it " + short_number(verdict.largest), theme.warning};
}

// Pressed, it opens the row or folds it to strips.
void draw_check_title(const CheckBrush& b, Rect line) {
  const Theme& theme = b.theme();
  const VerdictWords verdict =
      b.row.with_mistakes ? words_with_mistakes(theme, b.row.verdict)
                          : verdict_words(theme, b.frame.graph, *b.row.stage, b.row.verdict, b.row.first);
  const ImFont* font =
      text_width(theme.fonts.body, verdict.text) < line.width() * 0.6f ? theme.fonts.body : theme.fonts.small;
  const std::string said = elided(font, verdict.text, line.width() * 0.7f);
  const float from = line.max.x - text_width(font, said);
  draw_text(b.list(), font, {from, line.min.y}, b.faded(verdict.ink), said);
  draw_title(b.list(), theme, line.min, b.faded(role_colour(theme, b.ours().role)), b.ours().title,
             row_says(b), from - theme.px(kWideGap) - line.min.x);
  if (!b.row.stage->compared.difference) return;
  const std::string id = (b.row.large ? "close " : "open ") + b.ours().id;
  const Rect pressed = b.row.large ? line : b.area;
  if (press_area(theme, id.c_str(), pressed,
                 b.row.large ? "fold this stage to small maps" : "open this stage with its numbers"))
    b.frame.view.of<CompareView>().open[b.ours().id] = !b.row.large;
}

// In the colours of the row, hatched where nothing is to be seen.
Grid check_grid(const CheckBrush& b, std::size_t column) {
  const CheckedStage& stage = *b.row.stage;
  Grid grid = fitted_grid(b.frame, *b.row.stages()[column], b.head(), b.area, 0, column == 0);
  grid.cell_width = b.row.cell.x, grid.cell_height = b.row.cell.y;
  grid.opacity = b.opacity;
  grid.titled = false;
  grid.role = b.ours().role;
  grid.compared = column == 2 ? Grid::difference : Grid::layer;
  grid.map.range =
      std::max(1e-30f, column == 2 && !b.row.verdict.equal ? stage.difference_range : stage.range);
  if (b.ours().role == Role::weights && column != 2) grid.map.range = std::max(1.0f, grid.map.range);
  if (column == 1 && !stage.ours.empty()) grid.values = stage.ours;
  if (column == 2 && !stage.difference.empty()) grid.values = stage.difference;
  if (column == 0 && !stage.hidden.empty()) grid.mask = stage.hidden;
  if (column == 2 && !stage.both_hidden.empty()) grid.mask = stage.both_hidden;
  return grid;
}

// The cells begin at that corner; the names of rows stand left of it.
void put_at(const Frame& frame, Grid& grid, ImVec2 corner) {
  grid.position = {0, 0};
  const ImVec2 cells = cell_rect(grid, frame, 0, 0).min;
  grid.position = {corner.x - cells.x, corner.y - cells.y};
}

// The number that the inspector shows, in every matrix that has it.
void outline_pinned(const CheckBrush& b, const Grid& grid) {
  const auto stage = b.frame.graph.find(b.pinned.stage);
  if (!stage || grid.stage == b.pinned.stage) return;
  const Cell cell = b.pinned.cell;
  const Shape& shape = b.ours().shape;
  if (b.frame.graph.stages[*stage].shape != shape || cell.head != grid.head || !holds(shape, cell)) return;
  const Rect box = cell_rect(grid, b.frame, cell.row, cell.column);
  b.list().AddRect(box.min, box.max, b.theme().outline, b.theme().px(2), 0, b.theme().px(2));
}

void draw_large(const CheckBrush& b, Rect body) {
  ImGui::PushID(b.ours().id.c_str());
  for (std::size_t c = 0; c < kColumns; ++c) {
    const Rect column = check_column(b.theme(), body, c);
    Grid grid = check_grid(b, c);
    put_at(b.frame, grid, {column.min.x, body.min.y + b.theme().px(kColumnNames)});
    grid.title_until = column.max.x;
    if (grid.drawn()) draw_grid(b.frame, grid), outline_pinned(b, grid);
  }
  ImGui::PopID();
}

// Words in the place of a matrix.
void draw_words_in_place(const CheckBrush& b, Rect place, const std::string& words) {
  const Theme& theme = b.theme();
  const ImFont* font = theme.fonts.small;
  b.list().AddRectFilled(place.min, place.max, b.faded(mix(theme.canvas, theme.border, 0.6f)), theme.px(3));
  const std::string shown = elided(font, words, place.width() - theme.px(kWordGap));
  draw_text(b.list(), font,
            {(place.min.x + place.max.x - text_width(font, shown)) / 2,
             (place.min.y + place.max.y - font_size(font)) / 2},
            b.faded(theme.dim), shown);
}

// The heads of a stage side by side, the one that is shown large framed.
void draw_maps(const CheckBrush& b, Rect place, std::size_t column) {
  const Theme& theme = b.theme();
  const Grid grid = check_grid(b, column);
  if (!grid.drawn()) return;
  const std::size_t heads = grid.shape.stack;
  const bool features = b.ours().rows.along != Axis::queries || b.ours().columns.along != Axis::keys;
  const float gap = heads > 1 ? theme.px(features ? kFeaturesApart : kMapsApart) : 0;
  const float width =
      std::max(1.0f, (place.width() - gap * static_cast<float>(heads - 1)) / static_cast<float>(heads));
  for (std::size_t head = 0; head < heads; ++head) {
    const float left = place.min.x + static_cast<float>(head) * (width + gap);
    const Rect map{{left, place.min.y}, {left + width, place.max.y}};
    draw_map_of_head(b.frame, grid, map, head, 1);
    if (heads > 1 && head == b.frame.view.layer.head)
      b.list().AddRect(map.min, map.max, b.faded(theme.outline_soft), 0, 0, theme.px(1));
  }
}

void draw_strips(const CheckBrush& b, Rect body) {
  for (std::size_t c = 0; c < kColumns; ++c) {
    const Rect place = check_column(b.theme(), body, c);
    if (c == 2 && !b.row.stages()[2])
      draw_words_in_place(b, place, absence_words(b.frame.graph, b.row.stage->compared, 2));
    else if (c == 2 && !b.row.verdict.compared)
      draw_words_in_place(b, place, "not compared: behind a NaN");
    else if (c == 2 && b.row.verdict.equal)
      draw_words_in_place(b, place, b.row.verdict.largest == 0 ? "0" : "0 but for rounding");
    else
      draw_maps(b, place, c);
  }
}

void draw_first_frame(const CheckBrush& b, float left) {
  const Theme& theme = b.theme();
  const ImVec2 min{left, b.area.min.y}, max{b.area.max.x + theme.px(kFrameBeyond), b.area.max.y};
  b.list().AddRectFilled(min, max, with_alpha(theme.bad, 0.07f * b.opacity), theme.px(6));
  b.list().AddRect(min, max, b.faded(theme.bad), theme.px(6), 0, theme.px(1.5f));
}

}  // namespace

void draw_check_row(Frame& frame, const CheckRow& row, ImVec2 corner) {
  const float opacity = stage_opacity(frame, row.ours());
  CheckBrush b{frame, row, moved(row.area, corner), opacity, checked_spot(frame).value_or(Spot())};
  const Theme& theme = frame.theme;
  if (row.first) {
    draw_first_frame(b, corner.x + theme.px(kFrameBeyond) / 2);
    b.area.min.y += theme.px(kCheckFrame), b.area.max.y -= theme.px(kCheckFrame);
  }
  const float body = b.area.min.y + theme.px(kCheckTitle);
  draw_check_title(b, {b.area.min, {b.area.max.x, body}});
  const Rect place{{b.area.min.x, body}, b.area.max};
  row.large ? draw_large(b, place) : draw_strips(b, place);
}

}  // namespace attn
