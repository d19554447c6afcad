// A graph of layers as blocks, found by what their stages are.
#pragma once

#include "app/canvas/blocks.h"

namespace attn {

// The layers of Frame::graph one after the other: inputs; Q, K, V; parameters where they are shown; scores;
// weights with their arcs and output; heads and what they become.
std::vector<BlockGroup> layer_blocks(const Frame& frame);

// The same of some parts of it, behind stages that they read.
struct ShownParts {
  std::size_t first = 0, end = 0;
  std::vector<StageIndex> read = {};
  // Of a stack, whose tokens are its own: the attention whose mask is painted there; none: none is.
  std::optional<Address> attention = {};
  bool of_stack = false;
};
std::vector<BlockGroup> layer_blocks(const Frame& frame, const ShownParts& parts);

// A canvas of them.
void draw_layers(Frame& frame, Rect canvas);

}  // namespace attn
