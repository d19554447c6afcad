// Drawing the blocks that are in sight of the canvas.
#include "app/canvas/blocks.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/canvas/block_arrange.h"
#include "app/canvas/canvas.h"
#include "app/canvas/notice.h"
#include "app/canvas/presenting.h"
#include "app/canvas/progress.h"
#include "app/canvas/step_focus.h"
#include "app/canvas/step_stages.h"
#include "app/canvas/steps.h"
#include "app/cells/arcs.h"
#include "app/cells/head_strip.h"
#include "app/frame/before.h"
#include "app/frame/lit.h"
#include "app/frame/present_view.h"
#include "app/frame/shown_numbers.h"
#include "app/theme/toolkit.h"
#include "app/widgets/words.h"
#include "core/attention/heads.h"
#include "core/graph/rounding.h"

namespace attn {
namespace {

using Groups = std::vector<BlockGroup>;

// Of the numbers of the present step among the others, and where it stands alone.
constexpr int kDecimals = 2, kDecimalsAlone = 3;

// An arrow in the gap before a block.
void draw_arrow(const Frame& frame, const Grid& grid, float left, float middle) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Theme& theme = frame.theme;
  const float opacity = grid.opacity, part = grid.compact ? 0.6f : 1;
  const float length = theme.px(16 * part), head = theme.px(4 * part);
  const float x1 = std::round(left - theme.px(12 * part * part)), x0 = x1 - length, y = std::round(middle);
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
  draw_title(list, theme, box.min, with_alpha(role_colour(theme, grid.hue), grid.opacity), grid.title,
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
  const Rect box = put_block(frame, block, place, origin);
  if (!grid.drawn()) {
    draw_outline(frame, block, box);
  } else if (block.kind == Block::heads) {
    draw_head_strip(frame, {grid, box, frame.canvas().all_in_sight});
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

// Pictures of a stage are lit as a whole or not at all.
float block_opacity(const Frame& frame, const Block& block) {
  const Lit& lit = std::as_const(frame.view).of<Lit>();
  const bool part = block.kind != Block::matrix && lights_in_part(lit, block.grid.stage);
  return part ? kUnlit : stage_opacity(frame, block.stage);
}

void draw_placed(Frame& frame, Groups& groups, const CanvasLayout& layout, Rect canvas) {
  const ImVec2 origin = canvas_origin(frame.canvas(), canvas, layout.size);
  draw_step_frames(frame, groups, layout, origin);
  std::size_t row = static_cast<std::size_t>(-1);
  const Block* last = nullptr;
  for (const Place& place : layout.places) {
    Block& block = groups[place.group].blocks[place.block];
    const Block* before = std::exchange(last, nullptr);
    const bool first = std::exchange(row, place.row) != place.row;
    block.grid.opacity = block_opacity(frame, block);
    if (block.emphasis == Block::present) block.grid.decimals = kDecimals;
    if (frame.view.lags() && !block.grid.input) block.grid.opacity *= kLagging;
    if (!visible(block, frame, place, origin, canvas)) continue;
    draw_block(frame, block, place, origin);
    last = &block;
    if (first) continue;
    if (!block.words.above.empty() && block.grid.drawn() && before) {
      draw_step_arrow(frame, *before, block);
      continue;
    }
    if (!block.arrow) continue;
    const Rect box{{origin.x + place.position.x, origin.y + place.position.y},
                   {0, origin.y + place.position.y + place.size.y}};
    const float middle = block.grid.drawn() ? (cell_rect(block.grid, frame, 0, 0).min.y + box.max.y) / 2
                                            : (box.min.y + box.max.y) / 2;
    draw_arrow(frame, block.grid, box.min.x, middle);
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
  const float margin = frame.theme.px(14);  // with its frame
  const ImVec2 min = place->position, max{min.x + place->size.x, min.y + place->size.y};
  scroll_to(frame, canvas, layout.size, {{min.x - margin, min.y - margin}, {max.x + margin, max.y + margin}});
}

// The steps on both sides of the present one; of the one before what the present is computed from, where it
// is.
std::vector<Block> neighbours(const Frame& frame, const Groups& groups) {
  const auto place = static_cast<std::size_t>(frame.step() - frame.steps.data());
  const std::vector<StageIndex> sources = sources_of_step(frame, groups);
  std::vector<Block> found;
  const auto add = [&](std::size_t step, const char* where) {
    std::vector<Block> blocks = blocks_of_step(frame, groups, frame.steps[step]);
    const auto read = [&](const Block& block) { return std::ranges::count(sources, block.stage) > 0; };
    if (step < place && std::ranges::any_of(blocks, read))
      std::erase_if(blocks, [&](const Block& block) { return !read(block); });
    for (Block& block : blocks) {
      block.grid.subtitle.insert(block.grid.subtitle.begin(), {.text = where, .essential = true});
      found.push_back(std::move(block));
    }
  };
  if (place > 0) add(place - 1, "before");
  if (place + 1 < frame.steps.size()) add(place + 1, "next");
  return found;
}

// The matrices of the present step alone, where all would be too small to read, or those that are lit; its
// neighbours beneath them where there is room. One alone is called as the line above the canvas calls it,
// where there is that line.
void keep_step(const Frame& frame, Groups& groups) {
  std::vector<Block> kept = lit_blocks(frame, groups);
  const bool lit = !kept.empty();
  if (!lit) kept = blocks_of_step(frame, groups, *frame.step());
  begin_with_readable(frame, kept);
  if (const auto one = presented_one(frame.view, kept.size())) kept.assign(1, Block(kept[*one]));
  if (!lit) {
    const bool named = !presents(frame.view) || shown_stages(frame, *frame.step()).size() == 1;
    if (kept.size() == 1 && named && frame.view.inspector.folded && frame.results)
      kept[0].grid.titled = false;
  }
  for (Block& block : kept) block.grid.decimals = kDecimalsAlone;
  std::vector<Block> beneath =
      !lit && has_room_beneath(frame) ? neighbours(frame, groups) : std::vector<Block>();
  groups.assign(1, {.blocks = std::move(kept)});
  if (!beneath.empty()) groups.push_back({.blocks = std::move(beneath)});
}

// One matrix alone where it fills the canvas: of the stage that was asked for last.
void keep_filled(Frame& frame, Groups& groups) {
  CanvasView& view = frame.canvas();
  if (view.filled.empty()) return shows_step_alone(frame, groups) ? keep_step(frame, groups) : void();
  const auto find = [&](const std::string& stage) {
    std::optional<Block> found;
    for (BlockGroup& group : groups)
      for (Block& block : group.blocks)
        if (block.kind == Block::matrix && block.grid.stage == stage && !found) found = block;
    return found;
  };
  std::optional<Block> block = view.reveal.empty() ? std::nullopt : find(view.reveal);
  if (!block) block = find(view.filled);
  if (!block) return view.fit();
  view.reveal.clear();
  view.filled = block->grid.stage;
  block->arrow = false;
  groups.assign(1, {.blocks = {std::move(*block)}});
}

// Labels of another length belong to a document of another size: indices then.
void fit_labels(Axis& axis, std::size_t count) {
  if (axis.labels && axis.labels->size() != count) axis.labels.reset();
}

// Of the numbers on screen, where they are those that were checked.
std::optional<MaskedWeight> leak_of(const Frame& frame, StageIndex stage, std::size_t head) {
  const bool checked = frame.engine.checks && frame.results && frame.engine.results.get() == frame.results;
  const SoftmaxChecks* checks = checked ? frame.engine.checks->of(stage) : nullptr;
  if (!checks || checks->masked_weight.holds()) return std::nullopt;
  const std::vector<MaskedWeight>& heads = checks->masked_in_heads;
  const bool own = head < heads.size() && !heads[head].holds();
  return heads[own ? head : checks->masked_weight.where.head];
}

// The title says how much has changed since results were pinned; while those are shown, their numbers stand
// in place of the newer ones.
void hold_against_before(const Frame& frame, const Stage& stage, Grid& grid) {
  if (const StageChange* change = change_of(frame, stage.id))
    grid.subtitle.insert(grid.subtitle.begin(), {.text = change_words(*change), .essential = true});
  if (!frame.view.before.shown) return;
  const StageResult then = result_before(frame, stage.id, grid.shape);
  if (!then.here()) return;
  grid.leak.reset();
  const Results& before = *results_before(frame);
  const StageIndex index = *before.graph.find(stage.id);
  grid.values = then.whole();
  grid.summary = before.summaries[index];
  grid.mask = {};
  const auto mask = before.graph.stages[index].mask;
  if (mask && before.outputs[*mask].rows() == grid.shape.rows &&
      before.outputs[*mask].columns() == grid.shape.columns)
    grid.mask = before.outputs[*mask].whole();
  set_colour_map(frame, stage, grid);
}

}  // namespace

Block matrix_block(const Frame& frame, StageIndex index, std::size_t head) {
  const Stage& stage = frame.graph.stages[index];
  Block block{.stage = index};
  Grid& grid = block.grid;
  const Tensor* given = stage.field.empty() ? nullptr : tensor_of(std::as_const(frame.draft), stage.field);
  grid.stage = stage.id;
  grid.title = stage.title;
  grid.role = stage.role, grid.hue = hue_of(frame.graph, index);
  grid.input = given != nullptr && stage.read_only.empty();
  grid.values = shown_numbers(frame.graph, index, frame.draft, frame.results);
  if (!grid.values.here() && frame.results) grid.values = frame.results->outputs[index];
  grid.shape = block.shape = grid.values.here() ? grid.values.shape() : stage.shape;
  const bool computed = frame.results && frame.results->outputs[index].id() == grid.values.id();
  grid.summary = computed ? frame.results->summaries[index] : summarize(grid.values.here_or_there());
  grid.head = std::min(head, std::max<std::size_t>(1, block.shape.stack) - 1);
  // The document's own labels, which may be newer than the results.
  const auto now = given ? frame.given.find(stage.id) : std::nullopt;
  grid.rows = now ? frame.given.stages[*now].rows : stage.rows;
  grid.columns = now ? frame.given.stages[*now].columns : stage.columns;
  fit_labels(grid.rows, block.shape.rows);
  fit_labels(grid.columns, block.shape.columns);
  if (grid.drawn()) set_colour_map(frame, stage, grid);
  if (stage.mask && frame.results) {
    const StageResult& mask = frame.results->outputs[*stage.mask];
    if (mask.rows() == block.shape.rows && mask.columns() == block.shape.columns) grid.mask = mask;
  }
  grid.leak = leak_of(frame, index, grid.head);
  grid.edits = number_edits(frame, stage.id);
  grid.subtitle = {{stage.formula},
                   {.text = to_string(Shape{1, block.shape.rows, block.shape.columns}), .essential = true}};
  if (columns_of_head(frame.graph, index, frame.view.layer.head))
    grid.subtitle.push_back({.text = "head " + std::to_string(frame.view.layer.head), .essential = true});
  hold_against_before(frame, stage, grid);
  return block;
}

void draw_blocks(Frame& frame, Rect canvas, std::vector<BlockGroup> groups) {
  canvas.min.y += draw_notice(frame, canvas);
  frame.canvas().all_in_sight = wants_all_in_sight(frame, groups, canvas);
  keep_filled(frame, groups);
  if (groups.size() > 1) focus_step(frame, groups);
  begin_canvas(frame, canvas);
  if (const float notches = zoom_notches(); notches != 0) zoom_at(frame, groups, canvas, notches);
  const CanvasLayout layout = arrange(frame, groups, canvas);
  reveal(frame, groups, layout, canvas);
  draw_placed(frame, groups, layout, canvas);
  end_canvas(frame, canvas, layout.size);
  draw_progress(frame, canvas);
}

}  // namespace attn
