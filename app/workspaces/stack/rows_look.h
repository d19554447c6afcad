// How the rows of the layers stand in their area. Private to app/workspaces/stack.
#pragma once

#include "app/workspaces/stack/rows_maps.h"

namespace attn {

struct RowsLook {
  Rect area;                            // all of it, with title and names
  float top = 0, pitch = 0;             // of the first row that is in sight; from one to the next
  float side = 0;                       // of a map, its longer one
  float maps_x = 0, map_pitch = 0;      // from one map of a line to the next
  float line_height = 0, caption = 0;   // of a line of maps with its names, where there are several
  std::size_t per_line = 1, lines = 1;  // of maps in a row
  float entropy_x = 0, sink_x = 0, stream_x = 0, alike_x = 0;  // right ends of the last two
  float entropy_bar = 0;                                       // a full one
  std::size_t first = 0, count = 0;                            // layers in sight

  Rect row(std::size_t layer) const;
  SmallMap map(const Theme& theme, std::size_t layer, std::size_t head, const Shape& shape) const;
};
RowsLook rows_look(const StackScene& scene, Rect area);

// Of the first layer that attends; null: none does.
const Stage* any_weights(const StackScene& scene);

// Entropy and sink of each head, length of the stream, how alike its tokens are; and what stands above them.
void draw_row_measures(const StackScene& scene, const RowsLook& look, std::size_t layer);
void draw_measure_heads(const StackScene& scene, const RowsLook& look);

}  // namespace attn
