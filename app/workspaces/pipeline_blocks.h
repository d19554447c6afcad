// What the canvas of the pipeline shows: the layer's stages as blocks, in groups that start new rows.
#pragma once

#include <vector>

#include "app/widgets/matrix_grid.h"

namespace attn {

// One thing on the canvas. All kinds carry the stage they show in `grid`.
struct Block {
  enum Kind { matrix, arcs, heads } kind = matrix;
  Grid grid;           // without values: not computed yet
  Shape shape;         // of the stage, known before its values
  bool arrow = false;  // an arrow leads into it from the block before
};

struct BlockGroup {
  std::vector<Block> blocks;
  bool joins = false;  // may stand in the row of the group before, where there is room
};

// The stages to show: of the results, before the first ones of the document; of its inputs alone when the
// document makes no layer.
Graph shown_graph(const Results* results, const Document& document);

// The heads of a graph; 1 when it has no scores.
std::size_t head_count(const Graph& graph);

// The heads' outputs become something else: several heads side by side, W_O, a muted head, an override.
bool merges_heads(const Graph& graph);

// Inputs show the draft's numbers at once, computed stages those of the results.
std::vector<BlockGroup> pipeline_blocks(const Frame& frame, const Graph& graph);

}  // namespace attn
