// A stage of two layers as a line, or as three matrices: framed where it is the first that differs.
#include "app/workspaces/compare/row_draw.h"

#include <algorithm>
#include <vector>

#include "app/canvas/fitted_grid.h"
#include "app/canvas/steps.h"
#include "app/theme/toolkit.h"
#include "app/widgets/press.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

constexpr float kFrame = 12, kMark = 16;  // points: the frame beyond the row, the mark of a line

using Grids = std::array<std::optional<Grid>, kColumns>;

struct RowBrush {
  Frame& frame;
  const CompareFigures& figures;
  const CompareRow& row;
  Rect area;
  float opacity;

  const Theme& theme() const { return frame.theme; }
  const Stage& stage() const { return frame.graph.stages[row.own()]; }
  ImDrawList& list() const { return *ImGui::GetWindowDrawList(); }
  ImU32 faded(ImU32 colour) const { return with_alpha(colour, opacity); }
};

std::string shape_of(const Stage& stage) {
  return to_string(Shape{1, stage.shape.rows, stage.shape.columns});
}

std::string shape_words(const Stage& stage) {
  const std::string shape = shape_of(stage);
  return stage.formula.empty() ? shape : stage.formula + " · " + shape;
}

// Of several ways to say something the first that fits; none where none does.
std::string fitting_words(const ImFont* font, const std::vector<std::string>& ways, float width) {
  for (const std::string& words : ways)
    if (text_width(font, words) <= width) return words;
  return {};
}

// What a stage behind the first difference does, from the longest to the shortest.
std::vector<std::string> ways_to_follow(const RowBrush& b, bool with_place) {
  const std::string whole = following_words(*b.frame.results, b.figures, b.row.place, with_place);
  const std::string largest = whole.substr(0, std::min(whole.find(" at "), whole.find(", ")));
  return {"follows: " + whole, whole, "follows: " + largest, largest};
}

// A triangle that points right, or down where the row is open.
void draw_mark(const RowBrush& b, ImVec2 at, bool open) {
  const float s = b.theme().px(4);
  const ImU32 ink = b.faded(b.theme().dim);
  if (open)
    b.list().AddTriangleFilled({at.x - s, at.y - s / 2}, {at.x + s, at.y - s / 2}, {at.x, at.y + s}, ink);
  else
    b.list().AddTriangleFilled({at.x - s / 2, at.y - s}, {at.x + s, at.y}, {at.x - s / 2, at.y + s}, ink);
}

void open_or_close(const RowBrush& b, Rect area, bool open) {
  const std::string id = (open ? "open " : "close ") + b.stage().id;
  if (press_area(b.theme(), id.c_str(), area, open ? "open this stage" : "fold this stage to a line"))
    b.frame.view.of<CompareView>().open[b.stage().id] = open;
}

void draw_line(const RowBrush& b) {
  const Theme& theme = b.theme();
  const ImFont* font = theme.fonts.body;
  const Rect area{b.area.min, {b.area.max.x, b.area.max.y - theme.px(2)}};
  const float y = area.min.y + (area.height() - font_size(font)) / 2;
  b.list().AddRectFilled(area.min, area.max, b.faded(mix(theme.canvas, theme.panel, 0.7f)), theme.px(3));
  draw_mark(b, {area.min.x + theme.px(9), (area.min.y + area.max.y) / 2}, false);
  const auto put = [&](float x, float until, ImU32 ink, const std::vector<std::string>& ways) {
    const std::string shown = fitting_words(font, ways, until - theme.px(kWordGap) - x);
    draw_text(b.list(), font, {x, y}, b.faded(ink), shown);
    return x + text_width(font, shown) + theme.px(kWordGap);
  };
  const Rect middle = column_of(theme, area, 1), last = column_of(theme, area, 2);
  const float left = area.min.x + theme.px(kMark + 4);
  const float end = put(left, last.min.x, role_colour(theme, b.stage().role), {b.stage().title});
  if (!b.row.off) {
    put(end, middle.min.x, theme.good, {"equal"});
    put(middle.min.x, last.min.x, theme.faint, {shape_words(b.stage()), shape_of(b.stage())});
    const double largest = b.figures.differences[b.row.place]->largest;
    put(last.min.x, area.max.x, theme.good, {short_number(largest) + " ✓"});
  } else {
    put(end, last.min.x, theme.warning, ways_to_follow(b, true));
    put(last.min.x, area.max.x, theme.accent, {"open"});
  }
  open_or_close(b, area, true);
}

// The colours of A and of the layer compared with it reach as far as the one that reaches further.
void share_colours(Grids& grids) {
  if (!grids[0] || !grids[1]) return;
  const float range = std::max(grids[0]->map.range, grids[1]->map.range);
  grids[0]->map.range = grids[1]->map.range = range;
}

std::optional<Grid> grid_of(const RowBrush& b, std::size_t column) {
  const auto stage = b.row.stages()[column];
  const auto place = place_of_column(b.theme(), b.row, b.area, column);
  if (!stage || !place) return std::nullopt;
  Grid grid = fitted_grid(b.frame, *stage, b.frame.view.layer.head, *place, 0,
                          b.row.alone || names_rows(b.theme(), b.area.width(), column));
  if (!grid.drawn()) return std::nullopt;
  grid.cell_width = b.row.cell.x, grid.cell_height = b.row.cell.y;
  grid.opacity = b.opacity;
  grid.titled = false;
  grid.role = b.stage().role;
  grid.compared = column == 2 ? Grid::difference : Grid::layer;
  if (column == 2) grid.mask = masked_in_both(b.frame, b.row.place);
  return grid;
}

// What is so where a column has no matrix of the row.
void draw_absence(const RowBrush& b, std::size_t column) {
  const Theme& theme = b.theme();
  const ImFont* font = theme.fonts.small;
  const auto area = place_of_column(theme, b.row, b.area, column);
  if (!area) return;
  draw_text(b.list(), font, {area->min.x, area->min.y + theme.px(kTitleHeight)}, b.faded(theme.dim),
            wrapped(font, absence_words(b.frame.graph, b.row.compared, column), area->width()));
}

// The number that is pointed at, or pinned, in the other columns; without one the largest change in all.
void outline_same(const RowBrush& b, const Grids& grids) {
  const auto& focus = b.frame.view.focus();
  const Results& results = *b.frame.results;
  const auto spot = focus ? focus : largest_change(results, b.figures);
  if (!spot || compared_place(results, b.figures, spot->stage) != b.row.place) return;
  for (const auto& grid : grids) {
    if (!grid || (focus && grid->stage == spot->stage)) continue;
    const Cell cell = spot->cell;
    if (cell.head != grid->head || cell.row >= grid->shape.rows || cell.column >= grid->shape.columns)
      continue;
    const Rect box = cell_rect(*grid, b.frame, cell.row, cell.column);
    b.list().AddRect(box.min, box.max, b.theme().outline, b.theme().px(2), 0, b.theme().px(2));
  }
}

// The stage's name above the matrix of A, and at the right what it does.
void draw_row_title(const RowBrush& b, const Grids& grids) {
  const Theme& theme = b.theme();
  const ImFont* font = theme.fonts.body;
  const Results& results = *b.frame.results;
  const float top = b.area.min.y + theme.px(2);
  float left = column_of(theme, b.area, 0).min.x + theme.px(kMark);
  if (const auto& first = grids[b.row.alone.value_or(0)])
    left = std::max(left, cell_rect(*first, b.frame, 0, 0).min.x);
  std::vector<std::string> ways{"equal"};
  if (b.row.first) {
    const std::string what = first_words(results, b.figures, b.row.place);
    ways = {"first difference: " + what, what, what.substr(0, what.find(", ")), "first difference"};
  } else if (b.row.off) {
    ways = ways_to_follow(b, false);
  }
  const ImU32 ink = b.row.first ? theme.bad : b.row.off ? theme.warning : theme.good;
  const float room = b.area.max.x - left - text_width(theme.fonts.bold, b.stage().title) - theme.px(kWideGap);
  const std::string words = fitting_words(font, ways, room);
  const float from = b.area.max.x - text_width(font, words);
  draw_text(b.list(), font, {from, top}, b.faded(ink), words);
  const Rect title{{b.area.min.x, top}, {from - theme.px(kWideGap), top + theme.px(18)}};
  const float behind =
      title.max.x - left - text_width(theme.fonts.bold, b.stage().title) - theme.px(kWordGap * 2);
  const std::string says =
      fitting_words(theme.fonts.small, {shape_words(b.stage()), shape_of(b.stage())}, behind);
  draw_title(b.list(), theme, {left, top}, b.faded(role_colour(theme, b.stage().role)), b.stage().title,
             says.empty() ? Subtitle() : Subtitle{{says}}, title.max.x - left);
  if (b.row.first) return;
  draw_mark(b, {left - theme.px(9), top + font_size(font) / 2}, true);
  open_or_close(b, title, false);
}

void draw_open(RowBrush b) {
  const Theme& theme = b.theme();
  if (b.row.first) {
    const ImVec2 out{theme.px(kFrame), 0};
    const ImVec2 min{b.area.min.x - out.x, b.area.min.y},
        max{b.area.max.x + out.x, b.area.max.y - theme.px(2)};
    b.list().AddRectFilled(min, max, with_alpha(theme.bad, 0.06f * b.opacity), theme.px(6));
    b.list().AddRect(min, max, b.faded(theme.bad), theme.px(6), 0, theme.px(1.5f));
  }
  b.area.min.y += theme.px(kRowPadding);
  b.area.max.y -= theme.px(kRowPadding);
  Grids grids;
  for (std::size_t c = 0; c < kColumns; ++c) {
    grids[c] = grid_of(b, c);
    if (!b.row.stages()[c]) draw_absence(b, c);
  }
  if (b.frame.draft.compare.same_colours) share_colours(grids);
  draw_row_title(b, grids);
  ImGui::PushID(b.stage().id.c_str());  // A's scores may stand in two rows
  for (const auto& grid : grids)
    if (grid) draw_grid(b.frame, *grid);
  ImGui::PopID();
  outline_same(b, grids);
}

}  // namespace

void draw_row(Frame& frame, const CompareFigures& figures, const CompareRow& row, Rect area) {
  const RowBrush brush{frame, figures, row, area, stage_opacity(frame, row.own())};
  if (row.open)
    draw_open(brush);
  else
    draw_line(brush);
}

}  // namespace attn
