#include "core/opencl/families.h"

namespace attn::opencl {

Tensor run(Workbench& bench, const Mask& op, Inputs inputs) {
  const bool user = !inputs.empty();
  const Shape shape = user ? inputs[0].shape() : Shape{1, op.queries, op.keys};
  return bench.compute(shape, [&](const cl::Buffer& y) {
    const std::vector<cl_ulong> lengths(op.valid_lengths.begin(), op.valid_lengths.end());
    const cl_uint has_user = user, causal = op.causal.has_value();
    const cl_long offset = op.causal_offset();
    // Without a user's mask the kernel needs some buffer in its place; it isn't read.
    bench.launch_by_number("mask", "mask", shape.stack * shape.rows, shape.columns,
                           user ? bench.input(inputs[0]) : y, has_user, bench.table(lengths),
                           dimension(lengths.size()), causal, offset, y, static_cast<cl_ulong>(op.queries));
  });
}

Tensor run(Workbench& bench, const MaskFill& op, Inputs inputs) {
  const Shape shape = inputs[0].shape();
  return bench.compute(shape, [&](const cl::Buffer& y) {
    const cl_ulong group = shape.stack / inputs[1].stack();
    const cl_uint adds = op.adds();
    bench.launch_by_number("mask", "mask_fill", shape.stack, shape.rows * shape.columns,
                           bench.input(inputs[0]), bench.input(inputs[1]), y,
                           static_cast<cl_float>(op.value()), adds, group);
  });
}

}  // namespace attn::opencl
