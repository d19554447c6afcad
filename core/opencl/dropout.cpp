// Dropout on a device: the probability goes there as the whole number that random bits are compared with, so
// that rounding cannot make device and reference drop different entries.
#include "core/opencl/family.h"

namespace attn::opencl {

Tensor compute(Workbench& bench, const Dropout& op, Inputs inputs) {
  const Shape shape = inputs[0].shape();
  return bench.compute(shape, [&](const cl::Buffer& y) {
    const Factor factor = split(op.factor());
    const cl_uint threshold = op.threshold();
    const std::size_t rows = op.rows == 0 ? shape.rows : op.rows;
    bench.launch_by_number("dropout", "dropout", shape.stack, shape.rows * shape.columns,
                           bench.input(inputs[0]), y, static_cast<cl_ulong>(op.seed), threshold, factor.high,
                           factor.low, factor.exponent, static_cast<cl_ulong>(op.first * shape.columns),
                           static_cast<cl_ulong>(rows * shape.columns));
  });
}

template Tensor run(Workbench&, const Dropout&, Inputs);

}  // namespace attn::opencl
