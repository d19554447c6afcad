// What the edits of a layer's shapes share. For the edit_*.cpp files only.
#pragma once

#include <optional>
#include <vector>

#include "core/document/document.h"

namespace attn {

// For each new row (or column, or matrix) the old one that it was; none: a new one.
using Order = std::vector<std::optional<std::size_t>>;

// The first `kept` of `count` old ones, then new ones up to `count`.
Order resized(std::size_t old_count, std::size_t count);

// For each old index the new one, the first where there are several; none: it is gone.
Order places_of(const Order& order, std::size_t old_count);

// The tensor with its matrices, rows and columns in another order; new numbers are small seeded normals of
// standard deviation `sd` (0: `fill`), of a cell by its place, whatever the shape. An empty tensor stays
// empty. Null orders keep what they were. Throws Error before it makes more than a document may hold.
struct Rearrangement {
  const Order* matrices = nullptr;
  const Order* rows = nullptr;
  const Order* columns = nullptr;
  float sd = 0;
  std::uint64_t seed = 0;
  float fill = 0;
};
Tensor rearranged(const Tensor& tensor, const Rearrangement& r);

// The end of an edit: `changed` without the overrides that lost their cells becomes the document. Throws
// Error, and leaves the document as it was, when it makes no graph or is more than a document may hold.
void settle(LayerAt in, Document changed);

// Standard deviation of new weights: small next to a trained projection's, yet visible.
inline constexpr float kNewWeight = 0.1f;
// Each projection has a seed of its own, so that no two get the same numbers.
inline constexpr std::uint64_t kSeedQ = 1, kSeedK = 2, kSeedV = 3, kSeedO = 4;

// A width beyond this is a slip of the hand; a layer of it would not fit into memory.
inline constexpr std::size_t kMaximumWidth = 1 << 14;

}  // namespace attn
