// The blocks of a canvas laid out by what they show, and the zoom about the pointer. (block_layout.h is the
// arithmetic; it knows no matrices.)
#pragma once

#include "app/canvas/block_layout.h"
#include "app/canvas/blocks.h"

namespace attn {

// Whether every stage is to be in sight: as the person wants it, else where a layer is large, or has no room
// on this canvas though its cells get smaller.
bool wants_all_in_sight(const Frame& frame, std::vector<BlockGroup>& groups, Rect canvas);

// Whether the matrices of the present step are shown alone: on a canvas that has no room for all stages
// next to them; while the window presents, those that are lit. A step that has none leaves all.
bool shows_step_alone(const Frame& frame, const std::vector<BlockGroup>& groups);

// Whether the canvas of such a step has room for what comes before and after it.
bool has_room_beneath(const Frame& frame);

// Where the blocks lie at the canvas's zoom; where there is little room they lose their labels.
CanvasLayout arrange(const Frame& frame, std::vector<BlockGroup>& groups, Rect canvas);

// Gives the block's grid its position and cells; returns the pixels that the block takes.
Rect put_block(const Frame& frame, Block& block, const Place& place, ImVec2 origin);

// Zooms; what is under the pointer stays there.
void zoom_at(Frame& frame, std::vector<BlockGroup>& groups, Rect canvas, float notches);

}  // namespace attn
