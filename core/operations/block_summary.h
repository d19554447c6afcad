// What blocks of a large matrix hold: enough for its picture and its range, where its numbers are not kept.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/operations/traits.h"

namespace attn {

// Inputs X: S×n×(before + m + behind), of which m columns are read, and, where there is one, a mask S'×n×m
// (nonzero = masked), S' dividing S. In blocks of kSide rows and columns, the last ones smaller, b×c of them:
// Y is S×b×4c, a BlockFigure of each block of a row behind the other.
struct BlockSummary {
  static constexpr const char* kName = "block_summary";
  static constexpr std::size_t kSide = 16;
  std::size_t before = 0, behind = 0;
  bool operator==(const BlockSummary&) const = default;
};

enum BlockFigure {
  kBlockLargest,  // in magnitude, of those that are not masked: NaN before ±∞, of two alike the negative one
  kBlockLeast,    // of the finite ones, masked or not, and 0
  kBlockMost,     // likewise
  kBlockKinds,    // the sum of BlockKind
  kBlockFigures  // how many there are
};

enum BlockKind {
  kSomeNotFinite = 1,
  kSomeNotWhole = 2,  // finite, and no whole number below kMostWhole
  kAllMasked = 4      // its largest is 0
};
inline constexpr double kMostWhole = 1000;

inline std::size_t blocks_in(std::size_t cells) {
  return (cells + BlockSummary::kSide - 1) / BlockSummary::kSide;
}

// What is read of X of this shape. Throws Error when it has fewer columns than are left out.
Shape read_of(const BlockSummary& op, const Shape& x);

// The figures of one block, and where its numbers are from.
struct BlockFigures {
  double largest = 0, least = 0, most = 0;
  Cell where = {}, where_least = {}, where_most = {};
  int kinds = kAllMasked;
  double operator[](std::size_t figure) const {
    const double all[] = {largest, least, most, static_cast<double>(kinds)};
    return all[figure];
  }
  void take(double x, bool masked, Cell cell);
};

// Of the block of which that is a number of the result; value(cell) of what is read, masked(cell) of the same
// cells.
template <class Value, class Masked>
BlockFigures block_figures(const Shape& read, Cell result, Value value, Masked masked) {
  const std::size_t block = result.column % blocks_in(read.columns);
  const Cell begin{result.head, result.row * BlockSummary::kSide, block * BlockSummary::kSide};
  BlockFigures figures;
  for (Cell cell = begin; cell.row < std::min(begin.row + BlockSummary::kSide, read.rows); ++cell.row)
    for (cell.column = begin.column; cell.column < std::min(begin.column + BlockSummary::kSide, read.columns);
         ++cell.column)
      figures.take(value(cell), masked(cell), cell);
  return figures;
}

}  // namespace attn
