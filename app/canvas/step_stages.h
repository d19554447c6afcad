// The stages of a step that are seen as matrices.
#pragma once

#include <vector>

#include "app/frame/frame.h"

namespace attn {

struct Block;

// Of Frame::graph, in its order: those on screen, without parameters.
std::vector<StageIndex> shown_stages(const Frame& frame, const StepChip& step);

// The same of those that are lit, parameters among them.
std::vector<StageIndex> lit_stages(const Frame& frame);

// Which of these of the present step a presentation begins with, counted from 1: the one that the step
// results in; 0, all of them, where they are one or have room for their numbers side by side.
std::size_t first_presented(const Frame& frame, const std::vector<StageIndex>& stages);

// A presentation of the step's blocks that begins anew begins with that.
void begin_with_readable(const Frame& frame, const std::vector<Block>& blocks);

}  // namespace attn
