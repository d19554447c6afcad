// Merging heads, picking a row of one, viewing and repeating them, and exchanging the rows and columns of
// each.
#pragma once

#include <vector>

#include "core/operations/traits.h"

namespace attn {

// Heads side by side: h×n×c to 1×n×(h·c); head r fills columns r·c … (r+1)·c. A muted head contributes zeros.
struct Concat {
  static constexpr const char* kName = "concat";
  std::vector<std::size_t> muted;  // ascending
  bool operator==(const Concat&) const = default;

  bool mutes(std::size_t head) const;
};

// And back: 1×n×(h·c) to h×n×c; a muted head gets zeros.
struct SplitHeads {
  static constexpr const char* kName = "split_heads";
  std::size_t heads = 1;
  std::vector<std::size_t> muted = {};  // ascending
  bool operator==(const SplitHeads&) const = default;
};

// Matrices of `group` consecutive heads added up: h×n×m to (h/group)×n×m: what flows back to what heads
// share.
struct HeadSum {
  static constexpr const char* kName = "head_sum";
  std::size_t group = 1;
  bool operator==(const HeadSum&) const = default;
};

// One row of one head: h×n×m to 1×1×m.
struct PickRow {
  static constexpr const char* kName = "pick_row";
  std::size_t head = 0, row = 0;
  bool operator==(const PickRow&) const = default;
};

// The same numbers in the same order, viewed as another shape of as many.
struct Reshape {
  static constexpr const char* kName = "reshape";
  Shape shape = {};
  bool operator==(const Reshape&) const = default;
};

// Matrix r of the result is matrix r modulo g of the input: g×n×m to h×n×m.
struct TileHeads {
  static constexpr const char* kName = "tile_heads";
  std::size_t heads = 1;
  bool operator==(const TileHeads&) const = default;
};

// Rows and columns of each head exchanged: h×n×m to h×m×n.
struct Transpose {
  static constexpr const char* kName = "transpose";
  bool operator==(const Transpose&) const = default;
};

}  // namespace attn
