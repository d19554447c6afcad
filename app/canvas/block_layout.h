// Where the blocks of the canvas lie: rows of groups, wrapped and sized to the canvas. Pure arithmetic.
#pragma once

#include <imgui.h>

#include <algorithm>
#include <vector>

namespace attn {

// Pixels that a block takes: what stays (labels), what grows with its cells, the room for its title, which
// shrinks where the cells are smaller than usual, and the width that its cells need for their numbers.
struct Extent {
  ImVec2 fixed, cells;
  float title = 0, least = 0;
  float part = 1;     // of the room of the largest, at factor 1
  ImVec2 grow{1, 1};  // its cells, as a multiple of others' cells
  float lead = 0;     // pixels between it and the block before, on top of the gap
  // Of the width of its cells, where those of others have this one.
  float factor(float others) const { return cells.x > 0 ? std::max(others, least / cells.x) : others; }
  float width(float factor) const {
    return fixed.x + std::max(cells.x * factor, title * std::min(1.0f, factor));
  }
  float height(float factor) const { return fixed.y + cells.y * factor; }
};

struct LayoutGroup {
  std::vector<Extent> blocks;
  bool joins = false;  // may stand in the row of the group before
};

struct LayoutRules {
  ImVec2 canvas;
  ImVec2 cell{38, 28};                     // pixels of a cell at factor 1
  float margin = 0, gap_x = 0, gap_y = 0;  // pixels
  ImVec2 most{1.2f, 1.2f};                 // factors of the cells
  float readable = 0.85f;                  // numbers can be read from here on
  float least = 0.3f;                      // below, the canvas scrolls instead
  float widest = 1.4f;                     // cells are not wider for their height
  bool overview = false;                   // numbers go rather than that the canvas scrolls
  ImVec2 largest{0.42f, 0.45f};            // parts of the canvas that one matrix takes at factor 1, at most
};

struct Place {
  std::size_t group = 0, block = 0, row = 0;
  ImVec2 position, size;  // from the top left of the content
  ImVec2 factor;          // of the block's cells
};

struct CanvasLayout {
  std::vector<Place> places;  // in the order of groups and blocks
  ImVec2 size;                // of the content, margins included
};

// Rows are as wide as the canvas lets them be, each with cells of its own width, wider where a matrix needs
// that for its numbers. Of all ways to wrap the groups the one with the largest cells is taken; if not even
// small cells show everything at once, readable ones, and the content is larger than the canvas.
CanvasLayout lay_out(const std::vector<LayoutGroup>& groups, const LayoutRules& rules);

// The same rows and factors at another zoom: extents measured there, cells `zoom` times as large.
CanvasLayout zoomed(const CanvasLayout& layout, const std::vector<LayoutGroup>& groups,
                    const LayoutRules& rules, float zoom);

}  // namespace attn
