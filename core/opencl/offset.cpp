// What depends on offsets on a device: which number belongs to an offset, and ALiBi's number of each
// distance, are made here, so that kernels only look them up.
#include "core/opencl/family.h"

namespace attn::opencl {
namespace {

// By offset, from the lowest on.
template <class Index>
std::vector<cl_uint> indices(const Offsets& offsets, Index index) {
  std::vector<cl_uint> all;
  for (std::ptrdiff_t offset = offsets.from; offset < offsets.to; ++offset)
    all.push_back(static_cast<cl_uint>(index(offset)));
  return all;
}

struct Lookup {
  cl::Buffer x;
  std::size_t width = 0;
  bool shared = false;  // one row for all queries
};

void look_up(Workbench& bench, const Lookup& from, const std::vector<cl_uint>& index, const cl::Buffer& y,
             Shape shape) {
  const cl_uint shared = from.shared;
  bench.launch_by_number("offset", "by_offset", shape.stack * shape.rows, shape.columns, from.x,
                         bench.table(index), y, static_cast<cl_ulong>(shape.rows),
                         static_cast<cl_ulong>(from.width), shared);
}

}  // namespace

Tensor compute(Workbench& bench, const DistanceBias& op, Inputs) {
  const Shape shape{op.heads, op.rows, op.columns};
  return bench.compute(shape, [&](const cl::Buffer& y) {
    const Offsets offsets(op.rows, op.columns, op.first);
    std::vector<cl_float> by_offset;
    for (std::size_t head = 0; head < op.heads; ++head)
      for (std::ptrdiff_t offset = offsets.from; offset < offsets.to; ++offset)
        by_offset.push_back(static_cast<cl_float>(distance_bias(alibi_slope(head, op.heads), offset)));
    look_up(bench, {bench.table(by_offset), by_offset.size() / op.heads, true},
            indices(offsets, [&](std::ptrdiff_t offset) { return offset - offsets.from; }), y, shape);
  });
}

Tensor compute(Workbench& bench, const ByOffset& op, Inputs inputs) {
  const Tensor& x = inputs[0];
  const Shape shape{x.stack(), op.queries, op.keys};
  return bench.compute(shape, [&](const cl::Buffer& y) {
    look_up(bench, {bench.input(x), x.columns(), x.rows() == 1},
            indices({op.queries, op.keys, op.first},
                    [&](std::ptrdiff_t offset) { return index_of(op.rule, offset); }),
            y, shape);
  });
}

Tensor compute(Workbench& bench, const SumByOffset& op, Inputs inputs) {
  const Shape x = inputs[0].shape();
  return bench.compute({x.stack, x.rows, index_count(op.rule)}, [&](const cl::Buffer& y) {
    std::vector<cl_long> ranges;
    for (std::size_t index = 0; index < index_count(op.rule); ++index) {
      const OffsetRange range = offsets_at(op.rule, index, {x.rows, x.columns, op.first});
      ranges.insert(ranges.end(), {range.first + op.first, range.last + op.first});
    }
    bench.launch_by_number("offset", "sum_by_offset",
                           Extent{x.stack * x.rows, index_count(op.rule), 2 * x.columns},
                           bench.input(inputs[0]), bench.table(ranges), y, static_cast<cl_ulong>(x.rows),
                           static_cast<cl_ulong>(x.columns));
  });
}

template Tensor run(Workbench&, const DistanceBias&, Inputs);
template Tensor run(Workbench&, const ByOffset&, Inputs);
template Tensor run(Workbench&, const SumByOffset&, Inputs);

}  // namespace attn::opencl
