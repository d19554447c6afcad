// The present step on a canvas of blocks: its stages stand out, next to what they are made of.
#pragma once

#include "app/canvas/block_layout.h"
#include "app/canvas/blocks.h"

namespace attn {

// Whether a block is a matrix of this step.
bool is_of_step(const Frame& frame, const StepChip& step, const Block& block);

// The matrices of a step; those with lit cells (frame/lit.h). They stand alone: no arrow leads into them.
std::vector<Block> blocks_of_step(const Frame& frame, const std::vector<BlockGroup>& groups,
                                  const StepChip& step);
std::vector<Block> lit_blocks(const Frame& frame, const std::vector<BlockGroup>& groups);

// The stages, of those whose matrices are here, that the present step is made of.
std::vector<StageIndex> sources_of_step(const Frame& frame, const std::vector<BlockGroup>& groups);

// Marks the blocks of the present step and what they are made of, and gives them a row where there is room
// for that. Nothing while everything is at full strength.
void focus_step(const Frame& frame, std::vector<BlockGroup>& groups);

// What a marked block takes more than others; `growth`: 1 as much as it should, 0 only the room for its
// arrow.
void grow_in_focus(const Frame& frame, const Block& block, float growth, Extent& extent);

// Frames around the marked blocks, behind them.
void draw_step_frames(const Frame& frame, const std::vector<BlockGroup>& groups, const CanvasLayout& layout,
                      ImVec2 origin);

// The arrow into a block with words, at the height of the row that is linked. `block` is placed.
void draw_step_arrow(Frame& frame, const Block& before, const Block& block);

}  // namespace attn
