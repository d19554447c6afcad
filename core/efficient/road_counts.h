// What each road takes, counted: from queries, keys and values to the outputs of the heads, each number with
// its arithmetic. A multiply-add is two operations; +, −, ×, ÷, exp and the larger of two are one each;
// masked scores of full attention are computed and counted, of flash attention those in tiles that are not
// skipped, and what puts m, l and o of a tile's rows to their new scale; sparse roads compute their own pairs
// alone. Held is what lies beside Q, K, V and
// the outputs, in float32; of flash attention what one tile needs at a time.
#pragma once

#include "core/efficient/part.h"
#include "core/text/quantity.h"

namespace attn {

struct RoadShape {
  std::size_t n = 0, m = 0;  // queries, keys
  std::size_t heads = 1, kv_heads = 1;
  std::size_t d_k = 0, d_v = 0;
  std::size_t features = 0;                     // of random features
  std::size_t tile_rows = 0, tile_columns = 0;  // of flash attention
  std::size_t tile_pairs = 0, rescaled = 0;  // in the tiles it computes: pairs, and rows, one for each tile
};

struct RoadCounts {
  Quantity operations, held;
};

// `pairs`: that a sparse road keeps, of one head.
RoadCounts count_road(Road road, const RoadShape& shape, std::size_t pairs);

}  // namespace attn
