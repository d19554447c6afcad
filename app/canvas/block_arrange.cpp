// How much room the blocks take, by their labels and numbers.
#include "app/canvas/block_arrange.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/canvas/canvas.h"
#include "app/canvas/step_focus.h"
#include "app/cells/arcs.h"
#include "app/cells/cell_layout.h"
#include "app/cells/cell_text.h"
#include "app/cells/head_strip.h"
#include "app/frame/present_view.h"

namespace attn {
namespace {

using Groups = std::vector<BlockGroup>;

constexpr float kBlockGapX = 34, kBlockGapY = 26, kMostSpread = 40;
constexpr float kCompactWidest = 1.9f;  // room for titles
constexpr float kCompactMargin = 10, kCompactGapX = 20, kCompactGapY = 8;
constexpr float kCurves = 150, kLeastCurves = 40;  // width of the arcs between their labels
// Factor of the cells on the canvas of the drawing; larger ones have larger cells.
constexpr float kMostFactor = 1.2f;
const ImVec2 kUsual{1014, 880};
// Cells of layers up to the first size keep their numbers rather than being all in sight, those up to the
// second get smaller so that they are; larger matrices are overviews in any case.
constexpr std::size_t kSmall = 8, kMedium = 24;
constexpr float kWideCell = 400;  // a cell wider than any title
// All in sight: how large matrices are next to those of weights, which with their arcs are the largest; and
// how high they have to be for labels and colour bars to have room as well.
constexpr float kOthers = 0.53f, kStrip = 0.6f, kLeastDressed = 110;
// Points; a smaller canvas scrolls over so many, or nothing of them could be told apart.
const ImVec2 kLeastAll{300, 340};
constexpr float kRoomForAll = 600;  // points of a canvas's width
// The present step alone: its cells are at most so large, and take so much of a canvas that is so high that
// the steps before and after stand beneath.
const ImVec2 kMostAlone{96, 60};
constexpr float kPresentShare = 0.64f, kMostBeneath = 1.2f, kRoomBeneath = 440;
constexpr float kMostFilled = 8;      // factor of the cells of a matrix that alone fills the canvas
constexpr float kDressedZoom = 1.5f;  // from here on what lost its labels has them again

bool is_filled(const Frame& frame, const Groups& groups) {
  return !frame.canvas().filled.empty() || shows_step_alone(frame, groups);
}

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
  grid.position = {}, grid.zoom = zoom;  // it may have been placed before
  const auto columns = static_cast<float>(grid.shape.columns), rows = static_cast<float>(grid.shape.rows);
  grid.cell_width = kWideCell, grid.cell_height = plain.cell_height;
  const ImVec2 wide = grid_size(grid, frame);
  grid.cell_width = plain.cell_width;
  grid.shape.columns = 1;
  const float least = grid_size(grid, frame).x;  // one column is narrower than any title
  const ImVec2 fixed{wide.x - std::round(theme.px(kWideCell) * zoom) * columns,
                     wide.y - std::round(theme.px(plain.cell_height) * zoom) * rows};
  return {.fixed = fixed,
          .cells = {theme.px(plain.cell_width) * static_cast<float>(block.shape.columns),
                    theme.px(plain.cell_height) * static_cast<float>(rows_of(block))},
          .title = least - fixed.x,
          .least = std::max(rows, columns) <= static_cast<float>(kMostRectangles)
                       ? least_pitch(block.grid, theme) * columns
                       : 0};
}

// All in sight: maps as large as the room that the others leave.
Extent fitted_strip(const Theme& theme, std::size_t heads, float room) {
  const ImVec2 usual = head_strip_size(theme, heads, room), title = head_strip_title(theme);
  return {.fixed = {0, title.y}, .cells = {usual.x, usual.y - title.y}, .part = kStrip};
}

// The arcs stand next to matrices, so their head is as high as a matrix's.
Extent extent_of(const Block& block, const Frame& frame, float room, float zoom, bool all) {
  const Theme& theme = frame.theme;
  const std::size_t heads = std::max<std::size_t>(1, block.shape.stack);
  if (block.kind == Block::heads && all) return fitted_strip(theme, heads, room * kStrip);
  if (block.kind == Block::heads) return {.fixed = head_strip_size(theme, heads, room), .cells = {}};
  Extent extent = matrix_extent(block, frame, zoom);
  if (all && block.grid.role != Role::weights) extent.part = kOthers;
  if (all) extent.least = 0;
  if (block.kind == Block::matrix) return extent;
  const float labels = arcs_label_width(theme, block.grid.rows, block.shape.rows) +
                       arcs_label_width(theme, block.grid.columns, block.shape.columns);
  const float most = std::max(room, labels + theme.px(kLeastCurves));
  if (all) return {.fixed = {labels, extent.fixed.y}, .cells = {theme.px(kCurves), extent.cells.y}};
  return {.fixed = {std::min(labels + theme.px(kCurves), most), extent.fixed.y},
          .cells = {0, extent.cells.y}};
}

// `growth`: how much of what the present step's blocks want to be larger they are.
std::vector<LayoutGroup> extents(const Groups& blocks, const Frame& frame, float room, float zoom,
                                 float growth = 0) {
  const bool all = frame.canvas().all_in_sight && !is_filled(frame, blocks);
  std::vector<LayoutGroup> groups;
  for (const BlockGroup& group : blocks) {
    groups.push_back({{}, group.joins});
    for (const Block& block : group.blocks) {
      groups.back().blocks.push_back(extent_of(block, frame, room, zoom, all));
      grow_in_focus(frame, block, growth, groups.back().blocks.back());
    }
  }
  return groups;
}

// One matrix alone, or all in sight: nothing is too small for that. The matrices of a step alone rather keep
// their numbers and scroll.
LayoutRules fitting_rules(LayoutRules rules, const Frame& frame, const Groups& groups, bool compact) {
  const Theme& theme = frame.theme;
  const bool filled = is_filled(frame, groups), alone = shows_step_alone(frame, groups);
  if (rules.overview || !alone || presents(frame.view)) rules.least = 0;
  rules.overview = false;
  rules.largest = filled ? ImVec2{1, 1} : ImVec2{0.5f, 0.5f};
  if (filled) rules.most = {kMostFilled, kMostFilled};
  if (frame.canvas().filled.empty() && alone) {
    rules.most = {kMostAlone.x / Grid().cell_width, kMostAlone.y / Grid().cell_height};
    rules.margin = theme.px(kCompactMargin), rules.widest = kCompactWidest;
  }
  if (compact) {
    rules.widest = kCompactWidest;
    rules.canvas.x = std::max(rules.canvas.x, theme.px(kLeastAll.x));
    rules.canvas.y = std::max(rules.canvas.y, theme.px(kLeastAll.y));
    rules.margin = theme.px(kCompactMargin);
    rules.gap_x = theme.px(kCompactGapX), rules.gap_y = theme.px(kCompactGapY);
  }
  return rules;
}

LayoutRules rules_for(const std::vector<BlockGroup>& groups, const Frame& frame, Rect canvas) {
  std::size_t widest = 0;
  for (const BlockGroup& group : groups)
    for (const Block& block : group.blocks)
      widest = std::max({widest, block.shape.columns, block.shape.rows});
  const Theme& theme = frame.theme;
  const Grid plain;
  const float most = kMostFactor * std::max(1.0f, std::min(canvas.width() / theme.px(kUsual.x),
                                                           canvas.height() / theme.px(kUsual.y)));
  return {.canvas = {canvas.width(), canvas.height()},
          .cell = {theme.px(plain.cell_width), theme.px(plain.cell_height)},
          .margin = theme.px(kSceneMargin),
          .gap_x = theme.px(kBlockGapX),
          .gap_y = theme.px(kBlockGapY),
          .most = {most, most},
          .least = widest > kSmall && widest <= kMedium ? 0.3f : 0.72f,
          .overview = widest > kSmall,
          .largest = {widest > kSmall ? 0.42f : 1, 0.45f}};  // the numbers of a small one are to be read
}

bool within(ImVec2 size, Rect canvas) {
  return size.x <= canvas.width() && size.y <= canvas.height();
}

// With labels of rows and columns and colour bars, or without; a matrix without a title takes no room for
// one.
void dress(Groups& groups, bool compact) {
  for (BlockGroup& group : groups)
    for (Block& block : group.blocks) {
      block.grid.compact = compact || !block.grid.titled;
      block.grid.row_labels = block.grid.column_labels = !compact;
    }
}

// Of the cells of the matrices, in pixels.
float least_height(const CanvasLayout& layout, const Groups& groups, const Frame& frame) {
  const float cell = frame.theme.px(Grid().cell_height);
  float least = std::numeric_limits<float>::max();
  for (const Place& place : layout.places) {
    const Block& block = groups[place.group].blocks[place.block];
    const float height = place.factor.y * cell * static_cast<float>(rows_of(block));
    if (block.kind == Block::matrix && block.shape.rows > kSmall) least = std::min(least, height);
  }
  return least;
}

// The first group, and the others small beneath it.
CanvasLayout lay_out_alone(const std::vector<LayoutGroup>& groups, const LayoutRules& rules) {
  LayoutRules above = rules, beneath = rules;
  above.canvas.y *= kPresentShare, beneath.canvas.y -= above.canvas.y + rules.gap_y;
  beneath.most = {kMostBeneath, kMostBeneath}, beneath.least = 0;
  CanvasLayout layout = lay_out({groups.front()}, above);
  const std::size_t rows = layout.places.back().row + 1;
  for (Place place : lay_out({groups.begin() + 1, groups.end()}, beneath).places) {
    ++place.group, place.row += rows;
    layout.places.push_back(place);
  }
  return zoomed(layout, groups, rules, 1);
}

}  // namespace

bool has_room_beneath(const Frame& frame) {
  return frame.area.height() >= frame.theme.px(kRoomBeneath) && !presents(frame.view);
}

bool shows_step_alone(const Frame& frame, const Groups& groups) {
  if (presents(frame.view) && !lit_blocks(frame, groups).empty()) return true;
  const bool small = frame.area.width() < frame.theme.px(kRoomForAll) || presents(frame.view);
  const StepChip* step = small ? frame.step() : nullptr;
  return step && std::ranges::any_of(groups, [&](const BlockGroup& group) {
           return std::ranges::any_of(group.blocks,
                                      [&](const Block& block) { return is_of_step(frame, *step, block); });
         });
}

bool wants_all_in_sight(const Frame& frame, Groups& groups, Rect canvas) {
  if (frame.canvas().all) return *frame.canvas().all;
  std::size_t tokens = 0;
  for (const BlockGroup& group : groups)
    for (const Block& block : group.blocks) {
      const Role role = block.grid.role;
      if (role == Role::token || role == Role::query || role == Role::weights)
        tokens = std::max(tokens, block.shape.rows);
      if (role == Role::weights) tokens = std::max(tokens, block.shape.columns);
    }
  if (tokens <= kSmall || tokens > kMedium || is_filled(frame, groups)) return tokens > kMedium;
  frame.canvas().all_in_sight = false;  // how large they would be then
  const LayoutRules rules = rules_for(groups, frame, canvas);
  dress(groups, false);
  const CanvasLayout layout = lay_out(extents(groups, frame, rules.canvas.x - 2 * rules.margin, 1), rules);
  return !within(layout.size, canvas);
}

CanvasLayout arrange(const Frame& frame, Groups& groups, Rect canvas) {
  const bool filled = is_filled(frame, groups), all = !filled && frame.canvas().all_in_sight;
  const float zoom = frame.canvas().zoom;
  LayoutRules rules = rules_for(groups, frame, canvas);
  if (filled || all) rules = fitting_rules(rules, frame, groups, false);
  dress(groups, false);
  float growth = 1;
  const auto measured = [&](float at) {
    return extents(groups, frame, rules.canvas.x - 2 * rules.margin, at, growth);
  };
  std::vector<LayoutGroup> fitted = measured(1);  // rows are those of the fitted canvas
  const bool beneath = frame.canvas().filled.empty() && shows_step_alone(frame, groups) && groups.size() > 1;
  CanvasLayout layout = beneath ? lay_out_alone(fitted, rules) : lay_out(fitted, rules);
  const auto grown = [&](float by) { return growth = by, fitted = measured(1), lay_out(fitted, rules); };
  if (frame.step() && !beneath &&
      !within(layout.size, canvas)) {  // rather all in sight than some as large as they may be
    const CanvasLayout less = grown(0.5f), least = grown(0);
    const bool helps = within(less.size, canvas) || !within(least.size, canvas);
    layout = helps && less.places.back().row == least.places.back().row ? grown(0.5f) : least;
  }
  if (all && least_height(layout, groups, frame) < frame.theme.px(kLeastDressed)) {
    rules = fitting_rules(rules, frame, groups, true);
    dress(groups, true);
    fitted = measured(1);
    layout = lay_out(fitted, rules);
  }
  const float rows = layout.places.empty() ? 1 : static_cast<float>(layout.places.back().row);
  const float spare = canvas.height() - layout.size.y;
  if (spare > 0 && rows > 0) rules.gap_y += std::min(frame.theme.px(kMostSpread), spare / (rows + 1));
  if (zoom >= kDressedZoom) dress(groups, false);
  return zoomed(layout, zoom == 1 ? fitted : measured(zoom), rules, zoom);
}

Rect put_block(const Frame& frame, Block& block, const Place& place, ImVec2 origin) {
  const Grid plain;
  Grid& grid = block.grid;
  grid.position = {origin.x + place.position.x, origin.y + place.position.y};
  grid.cell_width = plain.cell_width * place.factor.x;
  grid.cell_height = plain.cell_height * place.factor.y;
  grid.zoom = frame.canvas().zoom;
  grid.fills = true;
  return {grid.position, {grid.position.x + place.size.x, grid.position.y + place.size.y}};
}

}  // namespace attn
