// Weights of several heads at once on a device.
#include "core/operations/head_maps.h"

#include "core/opencl/family.h"
#include "core/opencl/pairs.h"

namespace attn::opencl {

Tensor compute(Workbench& bench, const PatternShare&, Inputs inputs) {
  const Shape w = inputs[0].shape();
  const std::size_t patterns = inputs[1].stack(), rows = w.stack * w.rows;
  return bench.compute({w.stack, w.rows, patterns}, [&](const cl::Buffer& y) {
    bench.launch("head_maps", "pattern_share", by_query(bench, rows, patterns * (1 + 2 * w.columns)),
                 bench.input(inputs[0]), bench.input(inputs[1]), y, dimension(w.rows), dimension(patterns),
                 dimension(rows), dimension(w.columns));
  });
}

Tensor compute(Workbench& bench, const AcrossHeads& op, Inputs inputs) {
  const Shape x = inputs[0].shape();
  return bench.compute({1, x.rows, x.columns}, [&](const cl::Buffer& y) {
    bench.launch_by_number("head_maps", "across_heads", Extent{x.rows, x.columns, 4 * x.stack},
                           bench.input(inputs[0]), y, static_cast<cl_uint>(op.figure), dimension(x.stack));
  });
}

Tensor compute(Workbench& bench, const HeadDifference& op, Inputs inputs) {
  const Shape x = inputs[0].shape();
  return bench.compute(x, [&](const cl::Buffer& y) {
    bench.launch_by_number("head_maps", "head_difference", x.stack * x.rows, x.columns,
                           bench.input(inputs[0]), y, dimension(op.head), static_cast<cl_ulong>(x.rows));
  });
}

Tensor compute(Workbench& bench, const HeadLikeness& op, Inputs inputs) {
  const Shape x = inputs[0].shape();
  const cl_uint heads = dimension(x.stack), count = dimension(x.rows * x.columns);
  std::vector<cl_uint> listed;  // the other half is their mirror
  for (cl_uint r = 0; r < heads; ++r)
    for (cl_uint s = r; s < heads; ++s) listed.insert(listed.end(), {r, s});
  const std::size_t pairs = listed.size() / 2;
  return bench.compute({1, x.stack, x.stack}, [&](const cl::Buffer& y) {
    const cl::Buffer weights = bench.input(inputs[0]), table = bench.table(listed);
    if (op.measure == HeadLikeness::overlap) {
      bench.launch("head_maps", "head_overlap", by_query(bench, pairs, count), weights, table, y, heads,
                   dimension(pairs), count);
      return;
    }
    const cl::Buffer sizes = bench.table(std::vector<cl_float>(2 * x.stack));
    bench.launch("head_maps", "head_size", by_query(bench, x.stack, Steps{2} * count), weights, sizes, heads,
                 count);
    bench.launch("head_maps", "head_cosine", by_query(bench, pairs, count + bench.context().vector_width()),
                 weights, sizes, table, y, heads, dimension(pairs), count);
  });
}

Tensor compute(Workbench& bench, const PartLength&, Inputs inputs) {
  constexpr std::size_t kTokens = 4;  // of head_maps.cl
  const Shape x = inputs[0].shape();
  const std::size_t tiles = x.stack * divide_up(x.rows, kTokens), columns = inputs[1].columns();
  const Steps lanes = bench.context().vector_width(), vectors = columns / lanes + 1;
  // A vector of columns: its sums over the width, then number by number, where one may be added up again.
  const Steps vector = (1 + x.columns) * (1 + lanes) * (1 + kTokens) + 3 * kTokens;
  return bench.compute({x.stack, x.rows, 1}, [&](const cl::Buffer& y) {
    bench.launch("head_maps", "part_length", by_query(bench, tiles, vectors * vector + 2 * kTokens),
                 bench.input(inputs[0]), bench.input(inputs[1]), y, dimension(x.rows), dimension(x.columns),
                 dimension(x.stack), dimension(columns));
  });
}

template Tensor run(Workbench&, const PatternShare&, Inputs);
template Tensor run(Workbench&, const AcrossHeads&, Inputs);
template Tensor run(Workbench&, const HeadDifference&, Inputs);
template Tensor run(Workbench&, const HeadLikeness&, Inputs);
template Tensor run(Workbench&, const PartLength&, Inputs);

}  // namespace attn::opencl
