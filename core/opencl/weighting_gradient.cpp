// What flows back through rows of weights, and through a number of a row, on a device: a row by an item or a
// work-group.
#include "core/operations/weighting_gradient.h"

#include "core/opencl/by_row.h"
#include "core/opencl/family.h"

namespace attn::opencl {

Tensor compute(Workbench& bench, const WeightsGradient& op, Inputs inputs) {
  const Shape g = inputs[1].shape();
  return bench.compute(g, [&](const cl::Buffer& y) {
    const std::size_t rows = g.stack * g.rows, shared = inputs[0].rows() == g.rows ? 1 : g.rows;
    const bool divided = op.rule == WeightsRule::rectified && inputs.size() > 2;
    const cl::Buffer flows = bench.input(inputs[1]);
    const auto [kernel, range] = by_row(bench, "weights_gradient", rows, passes_of_row(bench, g.columns, 2));
    bench.launch("weighting_gradient", kernel, range, bench.input(inputs[0]), flows,
                 divided ? bench.input(inputs[2]) : flows, cl_uint{divided}, y, static_cast<cl_uint>(op.rule),
                 dimension(shared), dimension(rows), dimension(g.columns));
  });
}

Tensor compute(Workbench& bench, const FigureGradient& op, Inputs inputs) {
  const Shape x = inputs[0].shape();
  return bench.compute(x, [&](const cl::Buffer& y) {
    const std::size_t rows = x.stack * x.rows;
    const auto [kernel, range] = by_row(bench, "figure_gradient", rows, passes_of_row(bench, x.columns, 2));
    bench.launch("weighting_gradient", kernel, range, bench.input(inputs[0]), bench.input(inputs[1]),
                 bench.input(inputs[2]), y, static_cast<cl_uint>(op.rule), dimension(rows),
                 dimension(x.columns));
  });
}

template Tensor run(Workbench&, const WeightsGradient&, Inputs);
template Tensor run(Workbench&, const FigureGradient&, Inputs);

}  // namespace attn::opencl
