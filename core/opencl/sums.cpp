// Products of two matrices added up on a device: a sum for each row, or for each run of all numbers, and then
// the total of these.
#include "core/operations/sums.h"

#include "core/opencl/family.h"
#include "core/opencl/list_runs.h"

namespace attn::opencl {

Tensor compute(Workbench& bench, const SumProduct& op, Inputs inputs) {
  const Shape x = inputs[0].shape();
  const bool all = op.over == SumProduct::all;
  const Shape result = all ? Shape{1, 1, 1} : Shape{x.stack, x.rows, 1};
  return bench.compute(result, [&](const cl::Buffer& y) {
    const ListRuns runs = all ? list_runs(bench, x.size()) : ListRuns{result.size(), x.columns};
    const auto parts = room_for_sums(bench, runs.count);
    if (runs.count > 0) {
      const auto [kernel, range] =
          by_row(bench, "product_parts", runs.count, passes_of_row(bench, runs.length, 2));
      bench.launch("sums", kernel, range, bench.input(inputs[0]), bench.input(inputs[1]), parts->buffer,
                   dimension(runs.length), dimension(runs.count), static_cast<cl_ulong>(x.size()));
    }
    launch_totals(bench, parts->buffer, y, result.size(), all ? runs.count : 1, true);
  });
}

template Tensor run(Workbench&, const SumProduct&, Inputs);

}  // namespace attn::opencl
