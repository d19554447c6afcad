// The softmax on a device: reductions of a row by an item or a work-group, the other steps number by number.
#include <limits>

#include "core/opencl/by_row.h"
#include "core/opencl/family.h"

namespace attn::opencl {
namespace {

float empty_value(EmptyRow choice) {
  switch (choice) {
    case EmptyRow::zeros:
      return 0;
    case EmptyRow::uniform:
      return 1;
    case EmptyRow::nan:
      break;
  }
  return std::numeric_limits<float>::quiet_NaN();
}

// h×n×m to h×n×1 by the kernel of this name, or its sister for devices with work-groups.
Tensor reduce(Workbench& bench, const Tensor& x, const std::string& name) {
  const Shape shape = x.shape();
  return bench.compute({shape.stack, shape.rows, 1}, [&](const cl::Buffer& y) {
    const std::size_t rows = shape.stack * shape.rows;
    // Of a row: its numbers, twice where their sum is not finite, and the lanes or halves that are joined.
    const auto [kernel, range] = by_row(bench, name, rows, 2 * shape.columns + 16);
    bench.launch("softmax", kernel, range, bench.input(x), y, dimension(rows), dimension(shape.columns));
  });
}

}  // namespace

Tensor compute(Workbench& bench, const RowMaximum&, Inputs inputs) {
  return reduce(bench, inputs[0], "row_maximum");
}

Tensor compute(Workbench& bench, const RowSum&, Inputs inputs) {
  return reduce(bench, inputs[0], "row_sum");
}

Tensor compute(Workbench& bench, const Exponential& op, Inputs inputs) {
  const Shape shape = inputs[0].shape();
  return bench.compute(shape, [&](const cl::Buffer& y) {
    const cl_uint hard = op.hard;
    const std::size_t rows = shape.stack * shape.rows;
    const cl::Buffer maxima =
        inputs.size() > 1 ? bench.input(inputs[1]) : bench.table(std::vector<float>(rows));
    bench.launch_by_number("softmax", "exponential", rows, shape.columns, bench.input(inputs[0]), maxima, y,
                           hard, empty_value(op.empty_row));
  });
}

Tensor compute(Workbench& bench, const Normalize& op, Inputs inputs) {
  const Shape shape = inputs[0].shape();
  return bench.compute(shape, [&](const cl::Buffer& y) {
    bench.launch_by_number("softmax", "normalize_rows", shape.stack * shape.rows, shape.columns,
                           bench.input(inputs[0]), bench.input(inputs[1]), y,
                           empty_value(op.undefined ? EmptyRow::nan : EmptyRow::zeros));
  });
}

template Tensor run(Workbench&, const RowMaximum&, Inputs);
template Tensor run(Workbench&, const RowSum&, Inputs);
template Tensor run(Workbench&, const Exponential&, Inputs);
template Tensor run(Workbench&, const Normalize&, Inputs);

}  // namespace attn::opencl
