// Regression on a device: an item a query, which reads all keys.
#include "core/operations/regression.h"

#include "core/opencl/family.h"
#include "core/opencl/pairs.h"

namespace attn::opencl {

Tensor compute(Workbench& bench, const LinearWeights&, Inputs inputs) {
  const Shape shape = inputs[0].shape();
  return bench.compute(shape, [&](const cl::Buffer& y) {
    bench.launch("regression", "linear_weights", by_query(bench, shape.rows), bench.input(inputs[0]),
                 bench.input(inputs[1]), bench.input(inputs[2]), y, cl_float{kLeastWeight},
                 dimension(shape.rows), dimension(shape.columns));
  });
}

Tensor compute(Workbench& bench, const KernelEstimate& op, Inputs inputs) {
  const std::size_t queries = inputs[0].rows(), keys = inputs[1].rows(), columns = inputs[2].columns();
  return bench.compute({1, queries, columns}, [&](const cl::Buffer& y) {
    const WidthStrides by = strides_of(inputs[3].shape());
    bench.launch("regression", "kernel_estimate", by_query(bench, queries * columns), bench.input(inputs[0]),
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
    bench.launch("regression", "leave_one_out", by_query(bench, widths.stack * keys), bench.input(inputs[0]),
                 bench.input(inputs[1]), bench.input(inputs[2]), y, static_cast<cl_uint>(op.kernel),
                 static_cast<cl_ulong>(widths.rows * widths.columns), by.query, by.key, dimension(columns),
                 dimension(widths.stack * keys), dimension(keys));
  });
}

template Tensor run(Workbench&, const LinearWeights&, Inputs);
template Tensor run(Workbench&, const KernelEstimate&, Inputs);
template Tensor run(Workbench&, const LeaveOneOut&, Inputs);

}  // namespace attn::opencl
