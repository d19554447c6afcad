// Regression on a device: an item a query, which reads all keys.
#include "core/operations/regression.h"

#include "core/opencl/family.h"
#include "core/opencl/pairs.h"

namespace attn::opencl {
namespace {

// Of one estimate: at most three passes over the keys, a vector at a time, whose lanes may be gathered one by
// one for keys, widths and values; three ends of a pass, as one key may be left out.
Steps estimate_steps(const Workbench& bench, std::size_t keys) {
  const Steps lanes = bench.context().vector_width();
  return 3 * (keys / lanes + 3) * (1 + 3 * lanes) + 6 * lanes;
}

}  // namespace

Tensor compute(Workbench& bench, const LinearWeights&, Inputs inputs) {
  const Shape shape = inputs[0].shape();
  return bench.compute(shape, [&](const cl::Buffer& y) {
    bench.launch("regression", "linear_weights", by_query(bench, shape.rows, 4 * (1 + shape.columns)),
                 bench.input(inputs[0]), bench.input(inputs[1]), bench.input(inputs[2]), y,
                 cl_float{kLeastWeight}, dimension(shape.rows), dimension(shape.columns));
  });
}

Tensor compute(Workbench& bench, const KernelEstimate& op, Inputs inputs) {
  const std::size_t queries = inputs[0].rows(), keys = inputs[1].rows(), columns = inputs[2].columns();
  return bench.compute({1, queries, columns}, [&](const cl::Buffer& y) {
    const WidthStrides by = strides_of(inputs[3].shape());
    bench.launch("regression", "kernel_estimate",
                 by_query(bench, queries * columns, estimate_steps(bench, keys)), bench.input(inputs[0]),
                 bench.input(inputs[1]), bench.input(inputs[2]), bench.input(inputs[3]), y,
                 static_cast<cl_uint>(op.kernel), by.query, by.key, dimension(columns),
                 dimension(queries * columns), dimension(keys));
  });
}

Tensor compute(Workbench& bench, const LeaveOneOut& op, Inputs inputs) {
  const std::size_t keys = inputs[0].rows(), columns = inputs[1].columns();
  const Shape widths = inputs[2].shape();
  return bench.compute({widths.stack, keys, 1}, [&](const cl::Buffer& y) {
    const WidthStrides by = strides_of(widths);
    const Steps each = columns * (1 + estimate_steps(bench, keys));
    bench.launch("regression", "leave_one_out", by_query(bench, widths.stack * keys, each),
                 bench.input(inputs[0]), bench.input(inputs[1]), bench.input(inputs[2]), y,
                 static_cast<cl_uint>(op.kernel), static_cast<cl_ulong>(widths.rows * widths.columns),
                 by.query, by.key, dimension(columns), dimension(widths.stack * keys), dimension(keys));
  });
}

template Tensor run(Workbench&, const LinearWeights&, Inputs);
template Tensor run(Workbench&, const KernelEstimate&, Inputs);
template Tensor run(Workbench&, const LeaveOneOut&, Inputs);

}  // namespace attn::opencl
