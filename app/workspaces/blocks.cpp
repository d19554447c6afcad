// Laying the blocks out on the canvas, and drawing what is in sight.
#include "app/workspaces/blocks.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/toolkit.h"
#include "app/widgets/arcs.h"
#include "app/widgets/head_strip.h"
#include "app/widgets/words.h"
#include "app/workspaces/block_layout.h"
#include "app/workspaces/canvas.h"
#include "app/workspaces/notice.h"
#include "app/workspaces/progress.h"
#include "app/workspaces/steps.h"
#include "app/workspaces/workspaces.h"

namespace attn {
namespace {

constexpr float kMargin = 22, kGapX = 34, kGapY = 26, kMostSpread = 40;
constexpr float kCurves = 150, kLeastCurves = 40;  // width of the arcs between their labels
constexpr float kMost =
    1.2f;  // factor of the cells on the canvas of the drawing; larger ones have larger cells
const ImVec2 kUsual{1014, 880};
// Cells of layers up to the first size keep their numbers rather than being all in sight, those up to the
// second get smaller so that they are; larger matrices are overviews in any case.
constexpr std::size_t kSmall = 8, kMedium = 24;
constexpr float kWide = 400;  // a cell wider than any title
constexpr float kLagging = 0.55f;

using Groups = std::vector<BlockGroup>;

// Rows that a block draws: arcs have one for each query or each key.
std::size_t rows_of(const Block& block) {
  return block.kind == Block::arcs ? std::max(block.shape.rows, block.shape.columns) : block.shape.rows;
}

// Titles and labels are what does not grow with the cells: measured with cells so wide that they, not the
// title, set the width, and with one column, where the title does.
Extent matrix_extent(const Block& block, const Frame& frame, float zoom) {
  const Grid plain;
  const Theme& theme = frame.theme;
  Grid grid = block.grid;
  grid.zoom = zoom;
  const auto columns = static_cast<float>(grid.shape.columns), rows = static_cast<float>(grid.shape.rows);
  grid.cell_width = kWide;
  const ImVec2 wide = grid_size(grid, frame);
  grid.cell_width = plain.cell_width;
  grid.shape.columns = 1;
  const float least = grid_size(grid, frame).x;  // one column is narrower than any title
  const ImVec2 fixed{wide.x - std::round(theme.px(kWide) * zoom) * columns,
                     wide.y - std::round(theme.px(plain.cell_height) * zoom) * rows};
  return {.fixed = fixed,
          .cells = {theme.px(plain.cell_width) * static_cast<float>(block.shape.columns),
                    theme.px(plain.cell_height) * static_cast<float>(rows_of(block))},
          .title = least - fixed.x};
}

// The arcs stand beside matrices, so their head is as high as a matrix's.
Extent extent_of(const Block& block, const Frame& frame, float room, float zoom) {
  const Theme& theme = frame.theme;
  if (block.kind == Block::heads)
    return {.fixed = head_strip_size(theme, std::max<std::size_t>(1, block.shape.stack), room), .cells = {}};
  Extent extent = matrix_extent(block, frame, zoom);
  if (block.kind == Block::matrix) return extent;
  const float labels = arcs_label_width(theme, block.grid.rows, block.shape.rows) +
                       arcs_label_width(theme, block.grid.columns, block.shape.columns);
  const float most = std::max(room, labels + theme.px(kLeastCurves));
  return {.fixed = {std::min(labels + theme.px(kCurves), most), extent.fixed.y},
          .cells = {0, extent.cells.y}};
}

std::vector<LayoutGroup> extents(const Groups& blocks, const Frame& frame, float room, float zoom) {
  std::vector<LayoutGroup> groups;
  for (const BlockGroup& group : blocks) {
    groups.push_back({{}, group.joins});
    for (const Block& block : group.blocks)
      groups.back().blocks.push_back(extent_of(block, frame, room, zoom));
  }
  return groups;
}

LayoutRules rules_for(const std::vector<BlockGroup>& groups, const Frame& frame, Rect canvas) {
  std::size_t widest = 0;
  for (const BlockGroup& group : groups)
    for (const Block& block : group.blocks)
      widest = std::max({widest, block.shape.columns, block.shape.rows});
  const Theme& theme = frame.theme;
  const Grid plain;
  return {.canvas = {canvas.width(), canvas.height()},
          .cell = {theme.px(plain.cell_width), theme.px(plain.cell_height)},
          .margin = theme.px(kMargin),
          .gap_x = theme.px(kGapX),
          .gap_y = theme.px(kGapY),
          .most = kMost * std::max(1.0f, std::min(canvas.width() / theme.px(kUsual.x),
                                                  canvas.height() / theme.px(kUsual.y))),
          .least = widest > kSmall && widest <= kMedium ? 0.3f : 0.72f};
}

CanvasLayout arrange(const Groups& groups, const Frame& frame, Rect canvas) {
  LayoutRules rules = rules_for(groups, frame, canvas);
  const float room = canvas.width() - 2 * rules.margin, zoom = frame.canvas().zoom;
  const std::vector<LayoutGroup> fitted =
      extents(groups, frame, room, 1);  // rows are those of the fitted canvas
  CanvasLayout layout = lay_out(fitted, rules);
  const float rows = layout.places.empty() ? 1 : static_cast<float>(layout.places.back().row);
  const float spare = canvas.height() - layout.size.y;
  if (spare > 0 && rows > 0) rules.gap_y += std::min(frame.theme.px(kMostSpread), spare / (rows + 1));
  return zoomed(layout, zoom == 1 ? fitted : extents(groups, frame, room, zoom), rules, zoom);
}

// An arrow in the gap before a block.
void draw_arrow(const Frame& frame, ImVec2 tip_of_block, float middle, float opacity) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Theme& theme = frame.theme;
  const float length = theme.px(16), head = theme.px(4);
  const float x1 = std::round(tip_of_block.x - theme.px(12)), x0 = x1 - length, y = std::round(middle);
  const ImU32 colour = with_alpha(theme.dim, opacity);
  list.AddLine({x0, y + 0.5f}, {x1, y + 0.5f}, colour, theme.px(1.2f));
  list.AddLine({x1 - head, y - head + 0.5f}, {x1, y + 0.5f}, colour, theme.px(1.2f));
  list.AddLine({x1 - head, y + head + 0.5f}, {x1, y + 0.5f}, colour, theme.px(1.2f));
}

// A stage without numbers yet: its place, never a made-up number.
void draw_outline(const Frame& frame, const Block& block, Rect box) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Theme& theme = frame.theme;
  const Grid& grid = block.grid;
  draw_title(list, theme, box.min, with_alpha(role_colour(theme, grid.role), grid.opacity), grid.title,
             grid.subtitle, box.width());
  const ImVec2 min{box.min.x, box.min.y + theme.px(24)};
  list.AddRect(min, box.max, theme.border, theme.px(3));
  const ImFont* font = theme.fonts.small;
  const std::string text =
      elided(font, frame.engine.error.empty() ? "computing…" : "not computed", box.width());
  draw_text(list, font,
            {(min.x + box.max.x - text_width(font, text)) / 2, (min.y + box.max.y - font_size(font)) / 2},
            theme.faint, text);
}

void draw_block(Frame& frame, Block& block, const Place& place, ImVec2 origin) {
  Grid& grid = block.grid;
  const Grid plain;
  grid.position = {origin.x + place.position.x, origin.y + place.position.y};
  grid.cell_width = plain.cell_width * place.factor.x;
  grid.cell_height = plain.cell_height * place.factor.y;
  grid.zoom = frame.canvas().zoom;
  const Rect box{grid.position, {grid.position.x + place.size.x, grid.position.y + place.size.y}};
  if (grid.values.empty()) {
    draw_outline(frame, block, box);
  } else if (block.kind == Block::heads) {
    draw_head_strip(frame, {grid, box});
  } else if (block.kind == Block::arcs) {
    const Rect first = cell_rect(grid, frame, 0, 0);
    const float pitch = frame.theme.px(grid.cell_height) * grid.zoom;
    draw_arcs(frame, {grid, box, first.min.y, pitch >= 8 ? std::round(pitch) : pitch});
  } else {
    draw_grid(frame, grid);
  }
}

bool visible(const Block& block, const Frame& frame, const Place& place, ImVec2 origin, Rect canvas) {
  const auto& selection = frame.view.grid.selection;
  const bool selected = selection && selection->anchor.stage == block.grid.stage;
  if (selected || block.kind != Block::matrix) return true;  // it may be typed into
  const float slack = canvas.height();  // Tab reaches the blocks nearby and scrolls to them
  return origin.y + place.position.y < canvas.max.y + slack &&
         origin.y + place.position.y + place.size.y > canvas.min.y - slack &&
         origin.x + place.position.x < canvas.max.x + slack &&
         origin.x + place.position.x + place.size.x > canvas.min.x - slack;
}

void draw_placed(Frame& frame, Groups& groups, const CanvasLayout& layout, Rect canvas) {
  const ImVec2 origin = canvas_origin(frame.canvas(), canvas, layout.size);
  const bool lagging = frame.view.busy_for > kPatience;
  for (const Place& place : layout.places) {
    Block& block = groups[place.group].blocks[place.block];
    block.grid.opacity = stage_opacity(frame.view, frame.steps, block.stage);
    if (lagging && !block.grid.input) block.grid.opacity *= kLagging;
    if (!visible(block, frame, place, origin, canvas)) continue;
    draw_block(frame, block, place, origin);
    if (!block.arrow) continue;
    const Rect box{{origin.x + place.position.x, origin.y + place.position.y},
                   {0, origin.y + place.position.y + place.size.y}};
    const bool first = place.position.x <= frame.theme.px(kMargin) + 1;
    const float middle = block.grid.values.empty()
                             ? (box.min.y + box.max.y) / 2
                             : (cell_rect(block.grid, frame, 0, 0).min.y + box.max.y) / 2;
    if (!first) draw_arrow(frame, box.min, middle, block.grid.opacity);
  }
}

// Where a stage is drawn; one without a matrix of its own is seen in the first of its step.
const Place* place_of(const Frame& frame, const std::string& stage, const Groups& groups,
                      const CanvasLayout& layout) {
  std::vector<std::string> wanted{stage};
  if (const auto index = frame.graph.find(stage))
    for (const StepChip& step : frame.steps)
      if (std::ranges::count(step.stages, *index) > 0) wanted.push_back(step.id);
  for (const std::string& id : wanted)
    for (const Place& place : layout.places)
      if (groups[place.group].blocks[place.block].grid.stage == id) return &place;
  return nullptr;
}

void reveal(Frame& frame, const Groups& groups, const CanvasLayout& layout, Rect canvas) {
  const std::string stage = std::exchange(frame.canvas().reveal, "");
  const Place* place = stage.empty() ? nullptr : place_of(frame, stage, groups, layout);
  if (!place) return;
  const float margin = frame.theme.px(8);
  const ImVec2 min = place->position, max{min.x + place->size.x, min.y + place->size.y};
  scroll_to(frame.canvas(), canvas, layout.size,
            {{min.x - margin, min.y - margin}, {max.x + margin, max.y + margin}});
}

// Labels of another length belong to a document of another size: indices then.
void fit_labels(Axis& axis, std::size_t count) {
  if (axis.labels && axis.labels->size() != count) axis.labels.reset();
}

}  // namespace

Block matrix_block(const Frame& frame, StageIndex index, std::size_t head) {
  const Stage& stage = frame.graph.stages[index];
  Block block{.stage = index};
  Grid& grid = block.grid;
  const Tensor* given = stage.field.empty() ? nullptr : tensor_of(std::as_const(frame.draft), stage.field);
  const Tensor computed = frame.results ? frame.results->outputs[index] : Tensor();
  grid.stage = stage.id;
  grid.title = stage.title;
  grid.role = stage.role;
  grid.input = given != nullptr;
  grid.values = given ? *given : computed;
  grid.shape = block.shape = grid.values.empty() ? stage.shape : grid.values.shape();
  grid.summary = computed.id() == grid.values.id() && frame.results ? frame.results->summaries[index]
                                                                    : summarize(grid.values);
  grid.head = std::min(head, std::max<std::size_t>(1, block.shape.stack) - 1);
  // The document's own labels, which may be newer than the results.
  const auto now = given ? frame.given.find(stage.id) : std::nullopt;
  grid.rows = now ? frame.given.stages[*now].rows : stage.rows;
  grid.columns = now ? frame.given.stages[*now].columns : stage.columns;
  fit_labels(grid.rows, block.shape.rows);
  fit_labels(grid.columns, block.shape.columns);
  if (!grid.values.empty()) grid.map = colour_map_of(frame, stage, grid.summary);
  if (stage.mask && frame.results) {
    const Tensor& mask = frame.results->outputs[*stage.mask];
    if (mask.rows() == block.shape.rows && mask.columns() == block.shape.columns) grid.mask = mask;
  }
  grid.edits = number_edits(frame.workspace, stage.id);
  grid.subtitle = {{stage.formula},
                   {.text = to_string(Shape{1, block.shape.rows, block.shape.columns}), .essential = true}};
  return block;
}

void draw_blocks(Frame& frame, Rect canvas, std::vector<BlockGroup> groups) {
  canvas.min.y += draw_notice(frame, canvas);
  begin_canvas(frame, canvas);
  const CanvasLayout layout = arrange(groups, frame, canvas);
  reveal(frame, groups, layout, canvas);
  draw_placed(frame, groups, layout, canvas);
  end_canvas(frame, canvas, layout.size);
  if (frame.view.busy_for > kPatience) draw_progress(frame, canvas);
}

}  // namespace attn
