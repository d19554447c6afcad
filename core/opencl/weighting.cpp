// Weights of scores on a device: a number of each row by an item, the rest number by number.
#include "core/opencl/family.h"
#include "core/opencl/pairs.h"

namespace attn::opencl {

Tensor compute(Workbench& bench, const RowStatistic& op, Inputs inputs) {
  const Shape x = inputs[0].shape();
  return bench.compute({x.stack, x.rows, 1}, [&](const cl::Buffer& y) {
    const std::size_t rows = x.stack * x.rows;
    // The threshold may leave out no more than one number a pass.
    const Steps passes = op.figure == RowFigure::threshold ? x.columns + 1 : 1;
    const Steps each = (passes + 1) * (1 + x.columns) + bench.context().vector_width();
    bench.launch("weighting", "row_statistic", by_query(bench, rows, each), bench.input(inputs[0]), y,
                 static_cast<cl_uint>(op.figure), dimension(rows), dimension(x.columns));
  });
}

Tensor compute(Workbench& bench, const ByRow& op, Inputs inputs) {
  const Shape x = inputs[0].shape();
  return bench.compute(x, [&](const cl::Buffer& y) {
    bench.launch_by_number("weighting", "by_row", x.stack * x.rows, x.columns, bench.input(inputs[0]),
                           bench.input(inputs[1]), y, static_cast<cl_uint>(op.rule));
  });
}

Tensor compute(Workbench& bench, const RowSumWithOne&, Inputs inputs) {
  const Shape x = inputs[0].shape();
  return bench.compute({x.stack, x.rows, 1}, [&](const cl::Buffer& y) {
    const std::size_t rows = x.stack * x.rows;
    bench.launch("weighting", "row_sum_with_one", by_query(bench, rows, 2 * x.columns),
                 bench.input(inputs[0]), bench.input(inputs[1]), y, dimension(rows), dimension(x.columns));
  });
}

template Tensor run(Workbench&, const RowStatistic&, Inputs);
template Tensor run(Workbench&, const ByRow&, Inputs);
template Tensor run(Workbench&, const RowSumWithOne&, Inputs);

}  // namespace attn::opencl
