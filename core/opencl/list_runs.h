// What families share that add up all numbers of a matrix on a device: runs of them, each by an item on
// processors and by a work-group on GPUs, which leave a sum each.
#pragma once

#include <algorithm>

#include "core/opencl/by_row.h"
#include "core/opencl/pairs.h"

namespace attn::opencl {

struct ListRuns {
  std::size_t count, length;
};
inline ListRuns list_runs(const Workbench& bench, std::size_t numbers) {
  constexpr std::size_t kShortest = 4096, kOfProcessor = 64, kOfGpu = 512;
  const std::size_t most = bench.context().variant().groups ? kOfGpu : kOfProcessor;
  const std::size_t length = std::max(kShortest, divide_up(numbers, most));
  return {divide_up(numbers, length), length};
}

// Room for one Sum of sum.cl a run, and a second one at a scale.
inline std::shared_ptr<DeviceMemory> room_for_sums(Workbench& bench, std::size_t runs) {
  return bench.scratch(4 * std::max<std::size_t>(1, runs));
}

// Each result is the sum of `each` runs. `scaled`: there are second ones.
inline void launch_totals(Workbench& bench, const cl::Buffer& parts, const cl::Buffer& y, std::size_t results,
                          std::size_t each, bool scaled) {
  bench.launch("sums", "totals", by_query(bench, results, 2 * each + 2), parts, y, dimension(each),
               cl_uint{scaled}, dimension(results));
}

}  // namespace attn::opencl
