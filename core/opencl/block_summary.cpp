// What blocks of a matrix hold, on a device; blocks take the place of numbers.
#include "core/operations/block_summary.h"

#include "core/opencl/family.h"

namespace attn::opencl {

Tensor compute(Workbench& bench, const BlockSummary& op, Inputs inputs) {
  const Shape x = read_of(op, inputs[0].shape());
  const std::size_t down = blocks_in(x.rows), across = blocks_in(x.columns);
  return bench.compute({x.stack, down, kBlockFigures * across}, [&](const cl::Buffer& y) {
    const cl_uint masked = inputs.size() > 1;
    const cl_ulong group = masked ? x.stack / inputs[1].stack() : 1;
    const cl::Buffer from = bench.input(inputs[0]);
    const Extent extent{x.stack * down, across, BlockSummary::kSide * BlockSummary::kSide};
    // Without a mask the kernel needs some buffer in its place; it isn't read.
    bench.launch_by_number("block_summary", "block_summary", extent, from,
                           masked ? bench.input(inputs[1]) : from, masked, group, y,
                           static_cast<cl_ulong>(x.rows), static_cast<cl_ulong>(inputs[0].columns()),
                           static_cast<cl_ulong>(op.before), static_cast<cl_ulong>(x.columns));
  });
}

template Tensor run(Workbench&, const BlockSummary&, Inputs);

}  // namespace attn::opencl
