// The strongest links of a matrix of weights whose rows come one after another.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/evaluate/summary.h"

namespace attn {

class StrongestLinks {
 public:
  // Each row once, in their order.
  void add(std::span<const float> row, std::size_t index);
  // Of the rows so far: the largest of every row; where there is room for more, of all others the largest.
  Strongest seen() const;

 private:
  // At most kMostLinks, heaps with the weakest on top: the largest of rows; others, as long as there is room.
  std::vector<Strongest::Link> largest_, others_;
  std::size_t of_ = 0;
};

}  // namespace attn
