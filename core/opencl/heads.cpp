// Merging and splitting heads on a device: one launch over the rows of the result, with a flag for each head
// that is off. Heads added up, or repeated: number by number. Another shape: a copy. Rows and columns
// exchanged: over the rows of the result.
#include <algorithm>

#include "core/opencl/family.h"

namespace attn::opencl {
namespace {

template <class Op>
cl::Buffer muted_heads(Workbench& bench, const Op& op, std::size_t heads) {
  std::vector<cl_uint> muted(heads);
  for (std::size_t head = 0; head < heads; ++head) muted[head] = std::ranges::binary_search(op.muted, head);
  return bench.table(muted);
}

}  // namespace

Tensor compute(Workbench& bench, const Concat& op, Inputs inputs) {
  const Shape x = inputs[0].shape();
  return bench.compute({1, x.rows, x.stack * x.columns}, [&](const cl::Buffer& y) {
    bench.launch_by_number("heads", "concat", x.rows, x.stack * x.columns, bench.input(inputs[0]),
                           muted_heads(bench, op, x.stack), y, static_cast<cl_ulong>(x.columns));
  });
}

Tensor compute(Workbench& bench, const SplitHeads& op, Inputs inputs) {
  const Shape x = inputs[0].shape();
  return bench.compute({op.heads, x.rows, x.columns / op.heads}, [&](const cl::Buffer& y) {
    bench.launch_by_number("heads", "split_heads", op.heads * x.rows, x.columns / op.heads,
                           bench.input(inputs[0]), muted_heads(bench, op, op.heads), y,
                           static_cast<cl_ulong>(op.heads), static_cast<cl_ulong>(x.rows));
  });
}

Tensor compute(Workbench& bench, const HeadSum& op, Inputs inputs) {
  const Shape x = inputs[0].shape();
  return bench.compute({x.stack / op.group, x.rows, x.columns}, [&](const cl::Buffer& y) {
    bench.launch_by_number("heads", "head_sum", Extent{x.stack / op.group, x.rows * x.columns, op.group},
                           bench.input(inputs[0]), y, static_cast<cl_ulong>(op.group));
  });
}

Tensor compute(Workbench& bench, const PickRow& op, Inputs inputs) {
  const Shape x = inputs[0].shape();
  return bench.compute({1, 1, x.columns}, [&](const cl::Buffer& y) {
    const std::size_t row = x.columns * sizeof(float), first = (op.head * x.rows + op.row) * row;
    bench.copy(bench.input(inputs[0]), y, first, row);
  });
}

Tensor compute(Workbench& bench, const Reshape& op, Inputs inputs) {
  return bench.compute(op.shape, [&](const cl::Buffer& y) {
    bench.copy(bench.input(inputs[0]), y, 0, op.shape.size() * sizeof(float));
  });
}

Tensor compute(Workbench& bench, const TileHeads& op, Inputs inputs) {
  const Shape x = inputs[0].shape();
  return bench.compute({op.heads, x.rows, x.columns}, [&](const cl::Buffer& y) {
    bench.launch_by_number("heads", "tile_heads", op.heads, x.rows * x.columns, bench.input(inputs[0]), y,
                           static_cast<cl_ulong>(x.stack));
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
template Tensor run(Workbench&, const SplitHeads&, Inputs);
template Tensor run(Workbench&, const HeadSum&, Inputs);
template Tensor run(Workbench&, const PickRow&, Inputs);
template Tensor run(Workbench&, const Reshape&, Inputs);
template Tensor run(Workbench&, const TileHeads&, Inputs);
template Tensor run(Workbench&, const Transpose&, Inputs);

}  // namespace attn::opencl
