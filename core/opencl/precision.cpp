// Rounding to a format on a device, number by number, and sums in it, a row an item.
#include "core/opencl/family.h"
#include "core/opencl/pairs.h"

namespace attn::opencl {

Tensor compute(Workbench& bench, const Round& op, Inputs inputs) {
  const Shape x = inputs[0].shape();
  return bench.compute(x, [&](const cl::Buffer& y) {
    bench.launch_by_number("precision", "round_to", 1, x.size(), bench.input(inputs[0]), y,
                           static_cast<cl_uint>(op.format));
  });
}

Tensor compute(Workbench& bench, const FormatSum& op, Inputs inputs) {
  const Shape x = inputs[0].shape();
  return bench.compute({x.stack, x.rows, 1}, [&](const cl::Buffer& y) {
    const std::size_t rows = x.stack * x.rows;
    // Of sums by pairs one a number is joined to others, on the average.
    bench.launch("precision", "format_sum", by_query(bench, rows, 2 * x.columns + 32), bench.input(inputs[0]),
                 y, static_cast<cl_uint>(op.format), static_cast<cl_uint>(op.order), dimension(rows),
                 dimension(x.columns));
  });
}

template Tensor run(Workbench&, const Round&, Inputs);
template Tensor run(Workbench&, const FormatSum&, Inputs);

}  // namespace attn::opencl
