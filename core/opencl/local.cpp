// Local attention on a device: number by number, and what flows back to a centre row by row.
#include "core/opencl/family.h"
#include "core/opencl/pairs.h"
#include "core/operations/local_slopes.h"

namespace attn::opencl {

Tensor compute(Workbench& bench, const LocalCentre& op, Inputs inputs) {
  const Shape shape = inputs[0].shape();
  return bench.compute(shape, [&](const cl::Buffer& y) {
    bench.launch_by_number("local", "local_centre", 1, shape.size(), bench.input(inputs[0]), y,
                           static_cast<cl_float>(op.keys));
  });
}

// Without a mask besides the centres stand in its place, unread.
Tensor compute(Workbench& bench, const LocalMask& op, Inputs inputs) {
  const Shape centres = inputs[0].shape();
  return bench.compute({centres.stack, centres.rows, op.keys}, [&](const cl::Buffer& y) {
    const bool joined = inputs.size() > 1;
    const std::size_t group = joined ? centres.stack / inputs[1].stack() : 0;
    bench.launch_by_number("local", "local_mask", centres.stack * centres.rows, op.keys,
                           bench.input(inputs[0]), bench.input(inputs[joined ? 1 : 0]), y,
                           static_cast<cl_ulong>(centres.rows), static_cast<cl_ulong>(group),
                           static_cast<cl_float>(op.reach));
  });
}

Tensor compute(Workbench& bench, const LocalDecay& op, Inputs inputs) {
  const Shape x = inputs[0].shape();
  const auto reach = static_cast<double>(op.reach);
  return bench.compute(x, [&](const cl::Buffer& y) {
    bench.launch_by_number("local", "local_decay", x.stack * x.rows, x.columns, bench.input(inputs[0]),
                           bench.input(inputs[1]), y, static_cast<cl_float>(-2 / (reach * reach)));
  });
}

Tensor compute(Workbench& bench, const CentreGradient& op, Inputs inputs) {
  const Shape shape = inputs[0].shape();
  return bench.compute(shape, [&](const cl::Buffer& y) {
    bench.launch_by_number("local", "centre_gradient", 1, shape.size(), bench.input(inputs[0]),
                           bench.input(inputs[1]), y, static_cast<cl_float>(op.keys));
  });
}

Tensor compute(Workbench& bench, const DecayGradient& op, Inputs inputs) {
  const Shape x = inputs[0].shape();
  return bench.compute({x.stack, x.rows, 1}, [&](const cl::Buffer& y) {
    bench.launch("local", "decay_gradient", by_query(bench, x.stack * x.rows, 2 * x.columns),
                 bench.input(inputs[0]), bench.input(inputs[1]), bench.input(inputs[2]), y,
                 static_cast<cl_float>(decay_scale(op)), dimension(x.stack * x.rows), dimension(x.columns));
  });
}

template Tensor run(Workbench&, const LocalCentre&, Inputs);
template Tensor run(Workbench&, const LocalMask&, Inputs);
template Tensor run(Workbench&, const LocalDecay&, Inputs);
template Tensor run(Workbench&, const CentreGradient&, Inputs);
template Tensor run(Workbench&, const DecayGradient&, Inputs);

}  // namespace attn::opencl
