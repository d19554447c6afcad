// Merging heads on a device: one launch over the merged rows, with a flag for each head that is off. Rows
// and columns exchanged: one over the rows of the result.
#include "core/opencl/family.h"

namespace attn::opencl {

Tensor compute(Workbench& bench, const Concat& op, Inputs inputs) {
  const Shape x = inputs[0].shape();
  return bench.compute({1, x.rows, x.stack * x.columns}, [&](const cl::Buffer& y) {
    std::vector<cl_uint> muted(x.stack);
    for (std::size_t head = 0; head < x.stack; ++head) muted[head] = op.mutes(head);
    bench.launch_by_number("heads", "concat", x.rows, x.stack * x.columns, bench.input(inputs[0]),
                           bench.table(muted), y, static_cast<cl_ulong>(x.columns));
  });
}

Tensor compute(Workbench& bench, const PickRow& op, Inputs inputs) {
  const Shape x = inputs[0].shape();
  return bench.compute({1, 1, x.columns}, [&](const cl::Buffer& y) {
    const std::size_t row = x.columns * sizeof(float), first = (op.head * x.rows + op.row) * row;
    bench.copy(bench.input(inputs[0]), y, first, row);
  });
}

Tensor compute(Workbench& bench, const Transpose&, Inputs inputs) {
  const Shape x = inputs[0].shape();
  return bench.compute({x.stack, x.columns, x.rows}, [&](const cl::Buffer& y) {
    bench.launch_by_number("heads", "transpose", x.stack * x.columns, x.rows, bench.input(inputs[0]), y,
                           static_cast<cl_ulong>(x.columns));
  });
}

template Tensor run(Workbench&, const Concat&, Inputs);
template Tensor run(Workbench&, const PickRow&, Inputs);
template Tensor run(Workbench&, const Transpose&, Inputs);

}  // namespace attn::opencl
