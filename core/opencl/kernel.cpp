// Kernels of regression on a device: pairs number by number, searches over the keys a query an item.
#include "core/opencl/pairs.h"

#include "core/opencl/family.h"

namespace attn::opencl {

WorkSize by_query(const Workbench& bench, std::size_t queries, Steps each) {
  constexpr std::size_t kMostItems = 16384;  // the kernels stride over the queries that are left
  const std::size_t group = bench.context().variant().groups ? 64 : 1;
  const std::size_t items = divide_up(std::min(queries, kMostItems), group) * group;
  return {cl::NDRange(items), cl::NDRange(group), divide_up(queries, items) * (1 + each)};
}

WidthStrides strides_of(Shape widths) {
  return {widths.rows == 1 ? 0 : widths.columns, widths.columns == 1 ? cl_ulong{0} : cl_ulong{1}};
}

Tensor compute(Workbench& bench, const KernelDistance&, Inputs inputs) {
  const std::size_t queries = inputs[0].rows(), keys = inputs[1].rows();
  return bench.compute({1, queries, keys}, [&](const cl::Buffer& y) {
    const WidthStrides by = strides_of(inputs[2].shape());
    bench.launch_by_number("kernel", "kernel_distance", queries, keys, bench.input(inputs[0]),
                           bench.input(inputs[1]), bench.input(inputs[2]), y, by.query, by.key);
  });
}

Tensor compute(Workbench& bench, const KernelValue& op, Inputs inputs) {
  const Shape shape = inputs[0].shape();
  return bench.compute(shape, [&](const cl::Buffer& y) {
    bench.launch_by_number("kernel", "kernel_value", shape.stack * shape.rows, shape.columns,
                           bench.input(inputs[0]), y, static_cast<cl_uint>(op.kernel));
  });
}

Tensor compute(Workbench& bench, const KernelExponent& op, Inputs inputs) {
  const std::size_t queries = inputs[0].rows(), keys = inputs[1].rows();
  return bench.compute({1, queries, keys}, [&](const cl::Buffer& y) {
    const WidthStrides by = strides_of(inputs[2].shape());
    const cl::Buffer q = bench.input(inputs[0]), k = bench.input(inputs[1]), widths = bench.input(inputs[2]);
    const cl::Buffer largest = bench.table(std::vector<cl_uint>(queries));
    const auto kind = static_cast<cl_uint>(op.kernel);
    bench.launch("kernel", "kernel_largest", by_query(bench, queries, keys), q, k, widths, largest, kind,
                 by.query, by.key, dimension(queries), dimension(keys));
    bench.launch_by_number("kernel", "kernel_exponent", queries, keys, q, k, widths, largest, y, kind,
                           by.query, by.key);
  });
}

Tensor compute(Workbench& bench, const NeighbourWidth& op, Inputs inputs) {
  const std::size_t queries = inputs[0].rows(), keys = inputs[1].rows();
  return bench.compute(inputs[0].shape(), [&](const cl::Buffer& y) {
    // A bit of the width a pass over the keys.
    bench.launch("kernel", "neighbour_width", by_query(bench, queries, 32 * (1 + keys)),
                 bench.input(inputs[0]), bench.input(inputs[1]), y, dimension(std::min(op.count, keys)),
                 dimension(queries), dimension(keys));
  });
}

template Tensor run(Workbench&, const KernelDistance&, Inputs);
template Tensor run(Workbench&, const KernelValue&, Inputs);
template Tensor run(Workbench&, const KernelExponent&, Inputs);
template Tensor run(Workbench&, const NeighbourWidth&, Inputs);

}  // namespace attn::opencl
