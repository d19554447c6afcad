// Lengths of rows on a device, one by an item; the division number by number.
#include "core/opencl/family.h"
#include "core/opencl/pairs.h"

namespace attn::opencl {

Tensor compute(Workbench& bench, const RowLength& op, Inputs inputs) {
  const Shape x = inputs[0].shape();
  return bench.compute({x.stack, x.rows, 1}, [&](const cl::Buffer& y) {
    const std::size_t rows = x.stack * x.rows;
    const cl_uint mean = op.mean;
    bench.launch("norm", "row_length", by_query(bench, rows, 2 * x.columns), bench.input(inputs[0]), y, mean,
                 dimension(rows), dimension(x.columns));
  });
}

Tensor compute(Workbench& bench, const ByLength&, Inputs inputs) {
  const Shape x = inputs[0].shape();
  return bench.compute(x, [&](const cl::Buffer& y) {
    bench.launch_by_number("norm", "by_length", x.stack * x.rows, x.columns, bench.input(inputs[0]),
                           bench.input(inputs[1]), y);
  });
}

template Tensor run(Workbench&, const RowLength&, Inputs);
template Tensor run(Workbench&, const ByLength&, Inputs);

}  // namespace attn::opencl
