// A canvas of blocks: matrices, arcs and strips of heads in groups that start new rows, laid out to fill it.
// What a workspace that shows stages of its graph draws.
#pragma once

#include <vector>

#include "app/canvas/arrow_words.h"
#include "app/cells/matrix_grid.h"

namespace attn {

// One thing on the canvas. All kinds carry the stage they show in `grid`.
struct Block {
  enum Kind { matrix, arcs, heads } kind = matrix;
  StageIndex stage = 0;  // of Frame::graph
  Grid grid = {};        // without values: not computed yet
  Shape shape = {};      // of the stage, known before its values
  bool arrow = false;    // an arrow leads into it from the block before
  // While a person steps: of the present step (alone or one of several), or what that is made of; and whether
  // it stands in the row of them.
  enum Emphasis { usual, source, present } emphasis = usual;
  bool several = false, in_row = false;
  ArrowWords words = {};  // on an arrow from the block before; empty: there is none of that kind
};

struct BlockGroup {
  std::vector<Block> blocks;
  bool joins = false;  // may stand in the row of the group before, where there is room
};

// A stage as a matrix: an input shows the draft's numbers at once, a computed stage those of the results.
// `head`: of as many as the graph's part has.
Block matrix_block(const Frame& frame, StageIndex stage, std::size_t head);

// The whole canvas: why there are no newer numbers, the blocks, what is being computed.
void draw_blocks(Frame& frame, Rect canvas, std::vector<BlockGroup> groups);

}  // namespace attn
