// HeadsSpec: what the workspace of heads shows of the layer's heads. A plain value.
#pragma once

#include <cstddef>

#include "core/operations/head_maps.h"

namespace attn {

// Which maps stand in the grid.
enum class HeadMap {
  each,        // the weights of each head
  mean,        // of all heads, as one map
  maximum,     // likewise
  spread,      // likewise
  difference,  // of each head, less one's
};

enum class HeadOrder {
  index,
  entropy,  // the sharpest first
  alike,    // each next to the one that it is most like
};

// Its fields, and all that is said about them, are listed in fields.h.
struct HeadsSpec {
  HeadMap map = HeadMap::each;
  std::size_t against = 0;  // the head of the differences; past the last: the last
  HeadOrder order = HeadOrder::index;
  HeadLikeness::Measure measure = HeadLikeness::cosine;
  std::size_t nearby = 2;    // tokens that far count as nearby
  std::size_t kv_heads = 0;  // key/value heads to look at; 0: the layer's own

  bool operator==(const HeadsSpec& other) const;
};

}  // namespace attn
