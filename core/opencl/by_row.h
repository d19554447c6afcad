// What families that work row by row share on a device: a row by an item on processors, by a work-group on
// GPUs.
#pragma once

#include "core/opencl/workbench.h"

namespace attn::opencl {

// The kernel of this name, or its sister for devices with work-groups, and its grid: no more of them than
// 16384, over which the kernels stride. `each`: steps of the loops at one row.
struct RowLaunch {
  std::string kernel;
  WorkSize range;
};
inline RowLaunch by_row(const Workbench& bench, const std::string& name, std::size_t rows, Steps each) {
  constexpr std::size_t kGroup = 64, kMostGroups = 16384;  // GROUP of row_items.cl and softmax.cl
  const bool parallel = bench.context().variant().groups;
  const std::size_t groups = std::min(rows, kMostGroups), items = parallel ? kGroup : 1;
  return {parallel ? name + "_group" : name,
          {cl::NDRange(groups * items), cl::NDRange(items), divide_up(rows, groups) * (1 + each)}};
}

// Each pass over a row has a loop over vectors and one over what is left, and joins lanes and items.
inline Steps passes_of_row(const Workbench& bench, std::size_t columns, Steps passes) {
  return passes * (columns + bench.context().vector_width() + 8);
}

}  // namespace attn::opencl
