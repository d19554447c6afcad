// Which blocks stand out, and what is drawn around and between them.
#include "app/canvas/step_focus.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "app/canvas/block_arrange.h"
#include "app/cells/cell_layout.h"
#include "app/frame/lit.h"
#include "app/inspector/step_facts.h"
#include "app/theme/toolkit.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

using Groups = std::vector<BlockGroup>;

// Points: of a frame around its block, of an arrow past its words, of its head, of the longest words.
constexpr float kPad = 11, kCompactPad = 4, kAroundWords = 20, kHead = 5, kLongest = 110, kWordsAbove = 8,
                kWordsBeneath = 6;
// The cells of the present stage, of one among several, of what it is made of, and of all in their row.
constexpr float kPresentWide = 1.6f, kSeveralWide = 1.15f, kSourceWide = 1.2f, kTall = 1.4f;
constexpr std::size_t kMostBefore = 2;  // blocks in the row of a step, before it
constexpr float kNarrow = 900;          // points of a canvas that has room for the last of them alone

void mark(const Frame& frame, Groups& groups) {
  const std::vector<StageIndex> sources = sources_of_step(frame, groups);
  for (BlockGroup& group : groups)
    for (Block& block : group.blocks) {
      if (is_of_step(frame, *frame.step(), block))
        block.emphasis = Block::present;
      else if (block.kind == Block::matrix && std::ranges::count(sources, block.stage) > 0)
        block.emphasis = Block::source;
    }
}

bool is_present(const Block& block) {
  return block.emphasis == Block::present;
}

std::size_t present_group(const Groups& groups) {
  const auto has = [](const BlockGroup& each) { return std::ranges::any_of(each.blocks, is_present); };
  return static_cast<std::size_t>(std::ranges::find_if(groups, has) - groups.begin());
}

// What comes after the first blocks of a group gets a group of its own behind it.
void split(Groups& groups, std::size_t group, std::size_t count, bool joins) {
  std::vector<Block>& blocks = groups[group].blocks;
  if (count == 0 || count >= blocks.size()) return;
  const auto from = blocks.begin() + static_cast<std::ptrdiff_t>(count);
  BlockGroup behind{{std::make_move_iterator(from), std::make_move_iterator(blocks.end())}, joins};
  blocks.erase(from, blocks.end());
  groups.insert(groups.begin() + static_cast<std::ptrdiff_t>(group + 1), std::move(behind));
}

// A step that begins a row gets what it is made of into that row, and what comes after the step goes to the
// row behind, so that the two stand side by side with room to be large. `most`: blocks before the step.
void give_row(Groups& groups, std::size_t most) {
  std::size_t g = present_group(groups);
  if (is_present(groups[g].blocks.front()) && g > 0 && !groups[g].joins &&
      groups[g - 1].blocks.back().emphasis == Block::source) {
    std::vector<Block>& before = groups[g - 1].blocks;
    const auto from = before.size() > kMostBefore ? before.end() - 1 : before.begin();
    groups[g].blocks.insert(groups[g].blocks.begin(), from, before.end());
    before.erase(from, before.end());
    if (before.empty()) groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(--g));
  }
  const auto first =
      static_cast<std::size_t>(std::ranges::find_if(groups[g].blocks, is_present) - groups[g].blocks.begin());
  if (first > most) split(groups, g++, first - most, false);
  const std::vector<Block>& blocks = groups[g].blocks;
  const auto last = std::find_if(blocks.rbegin(), blocks.rend(), is_present).base();
  if (is_present(blocks.front()) ||
      std::none_of(last, blocks.end(), [](const Block& b) { return b.kind == Block::matrix; }))
    return;
  if (g + 1 < groups.size()) groups[g + 1].joins = true;
  split(groups, g, static_cast<std::size_t>(last - blocks.begin()), false);
}

void mark_row(Groups& groups) {
  const std::size_t g = present_group(groups);
  for (Block& block : groups[g].blocks) block.in_row = true;
  if (!groups[g].joins || g == 0) return;
  for (Block& block : groups[g - 1].blocks) block.in_row = true;
}

// Words on the arrow into the first block of the step that is made of the one right before it.
void say(const Frame& frame, Groups& groups) {
  const Block* before = nullptr;
  for (BlockGroup& group : groups)
    for (Block& block : group.blocks) {
      const Block* last = std::exchange(before, &block);
      if (!is_present(block) || !last || last->kind != Block::matrix) continue;
      if (made_of(frame.graph, block.stage, {last->stage}).empty()) continue;
      block.words = arrow_words(frame.graph, last->stage, block.stage, frame.step()->title);
      return;
    }
}

std::size_t count_present(const Groups& groups) {
  std::size_t count = 0;
  for (const BlockGroup& group : groups)
    count += static_cast<std::size_t>(std::ranges::count_if(group.blocks, is_present));
  return count;
}

float words_width(const Theme& theme, const ArrowWords& words) {
  return std::min(theme.px(kLongest), std::max(text_width(theme.fonts.lead, words.above),
                                               text_width(theme.fonts.small, words.beneath)));
}

template <class Where>
std::vector<Block> blocks_where(const Groups& groups, Where where) {
  std::vector<Block> found;
  for (const BlockGroup& group : groups)
    for (const Block& block : group.blocks) {
      if (!where(block)) continue;
      found.push_back(block);
      found.back().arrow = false;
    }
  return found;
}

}  // namespace

bool is_of_step(const Frame& frame, const StepChip& step, const Block& block) {
  return block.kind == Block::matrix && frame.graph.stages[block.stage].drawn != Drawn::parameters &&
         std::ranges::count(step.stages, block.stage) > 0;
}

std::vector<Block> blocks_of_step(const Frame& frame, const Groups& groups, const StepChip& step) {
  return blocks_where(groups, [&](const Block& block) { return is_of_step(frame, step, block); });
}

std::vector<Block> lit_blocks(const Frame& frame, const Groups& groups) {
  const Lit& lit = std::as_const(frame.view).of<Lit>();
  return blocks_where(groups, [&](const Block& block) {
    return block.kind == Block::matrix && lights(lit, block.grid.stage);
  });
}

std::vector<StageIndex> sources_of_step(const Frame& frame, const Groups& groups) {
  std::vector<StageIndex> shown, sources;
  for (const BlockGroup& group : groups)
    for (const Block& block : group.blocks)
      if (block.kind == Block::matrix) shown.push_back(block.stage);
  for (const BlockGroup& group : groups)
    for (const Block& block : group.blocks)
      if (is_of_step(frame, *frame.step(), block))
        std::ranges::copy(made_of(frame.graph, block.stage, shown), std::back_inserter(sources));
  return sources;
}

void focus_step(const Frame& frame, Groups& groups) {
  if (!frame.step() || shows_step_alone(frame, groups)) return;
  mark(frame, groups);
  if (present_group(groups) == groups.size()) return;
  if (!frame.canvas().all_in_sight)  // else there is hardly room for what there is
    give_row(groups, frame.area.width() < frame.theme.px(kNarrow) ? 1 : kMostBefore);
  mark_row(groups);
  say(frame, groups);
  if (count_present(groups) == 1) return;
  for (BlockGroup& group : groups)
    for (Block& block : group.blocks) block.several = is_present(block);
}

void grow_in_focus(const Frame& frame, const Block& block, float growth, Extent& extent) {
  if (!block.in_row) return;
  const float wide = block.emphasis == Block::source ? kSourceWide
                     : !is_present(block)            ? 1
                     : block.several                 ? kSeveralWide
                                                     : kPresentWide;
  extent.grow = {1 + (wide - 1) * growth, 1 + (kTall - 1) * growth};
  if (!block.words.above.empty())
    extent.lead = words_width(frame.theme, block.words) + frame.theme.px(kAroundWords);
}

void draw_step_frames(const Frame& frame, const Groups& groups, const CanvasLayout& layout, ImVec2 origin) {
  const Theme& theme = frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto block_of = [&](const Place& place) -> const Block& {
    return groups[place.group].blocks[place.block];
  };
  for (std::size_t i = 0; i < layout.places.size(); ++i) {
    const Place& first = layout.places[i];
    const Block::Emphasis emphasis = block_of(first).emphasis;
    if (emphasis == Block::usual) continue;
    const float pad = theme.px(block_of(first).grid.compact ? kCompactPad : kPad);
    ImVec2 end{first.position.x + first.size.x, first.position.y + first.size.y};
    for (; i + 1 < layout.places.size(); ++i) {  // neighbours share a frame, unless an arrow parts them
      const Place& next = layout.places[i + 1];
      if (next.row != first.row || block_of(next).emphasis != emphasis || !block_of(next).words.above.empty())
        break;
      end = {next.position.x + next.size.x, std::max(end.y, next.position.y + next.size.y)};
    }
    const ImVec2 min{origin.x + first.position.x - pad, origin.y + first.position.y - pad};
    const ImVec2 max{origin.x + end.x + pad, origin.y + end.y + pad};
    const bool present = emphasis == Block::present;
    if (present) list.AddRectFilled(min, max, mix(theme.canvas, theme.accent, 0.1f), theme.px(6));
    list.AddRect(min, max, present ? theme.accent : with_alpha(theme.accent, 0.55f), theme.px(6), 0,
                 theme.px(1.5f));
  }
}

void draw_step_arrow(Frame& frame, const Block& before, const Block& block) {
  const Theme& theme = frame.theme;
  const CellLayout from = cell_layout(before.grid, frame), to = cell_layout(block.grid, frame);
  std::size_t row = (to.rows - 1) / 2;
  if (const auto look = inspector::look_at_step(frame, *frame.step());
      look && look->spot.stage == block.grid.stage)
    row = std::min(look->spot.cell.row, to.rows - 1);
  const Rect cell = to.cell(row, 0);
  const float pad = theme.px(kPad), gap = theme.px(3), head = theme.px(kHead);
  const float y = std::round((cell.min.y + cell.max.y) / 2) + 0.5f;
  const float x0 = from.whole.max.x + pad + gap, x1 = to.whole.min.x - pad - gap;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (const auto& [a, b] :
       {std::pair(ImVec2{x0, y}, ImVec2{x1, y}), std::pair(ImVec2{x1 - head, y - head}, ImVec2{x1, y}),
        std::pair(ImVec2{x1 - head, y + head}, ImVec2{x1, y})})
    list.AddLine(a, b, theme.accent, theme.px(1.5f));
  const auto write = [&](const ImFont* font, const std::string& text, float top, ImU32 colour) {
    const std::string shown = elided(font, text, x1 - x0);
    draw_text(list, font, {std::round((x0 + x1 - text_width(font, shown)) / 2), top}, colour, shown);
  };
  write(theme.fonts.lead, block.words.above, y - theme.px(kWordsAbove) - font_size(theme.fonts.lead),
        theme.accent);
  write(theme.fonts.small, block.words.beneath, y + theme.px(kWordsBeneath), theme.dim);
}

}  // namespace attn
