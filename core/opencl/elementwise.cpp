// Scaling, adding, multiplying and replacing on a device: double factors go there in two floats, and typed
// numbers into a copy of the tensor that never leaves the device.
#include <map>

#include "core/opencl/family.h"

namespace attn::opencl {

Tensor compute(Workbench& bench, const Scale& op, Inputs inputs) {
  const Shape shape = inputs[0].shape();
  return bench.compute(shape, [&](const cl::Buffer& y) {
    const Factor factor = split(op.factor);
    bench.launch_by_number("elementwise", "scale", 1, shape.size(), bench.input(inputs[0]), y, factor.high,
                           factor.low, factor.exponent);
  });
}

Tensor compute(Workbench& bench, const Add&, Inputs inputs) {
  const Shape shape = inputs[0].shape();
  return bench.compute(shape, [&](const cl::Buffer& y) {
    const cl_ulong group = shape.stack / inputs[1].stack();
    bench.launch_by_number("elementwise", "add", shape.stack, shape.rows * shape.columns,
                           bench.input(inputs[0]), bench.input(inputs[1]), y, group);
  });
}

Tensor compute(Workbench& bench, const Multiply&, Inputs inputs) {
  const Shape x = inputs[0].shape(), b = inputs[1].shape();
  return bench.compute(x, [&](const cl::Buffer& y) {
    const cl_ulong row_step = b.rows == 1 ? 0 : b.columns, column_step = b.columns == 1 ? 0 : 1;
    bench.launch_by_number("elementwise", "multiply", x.stack * x.rows, x.columns, bench.input(inputs[0]),
                           bench.input(inputs[1]), y, static_cast<cl_ulong>(x.stack / b.stack),
                           static_cast<cl_ulong>(x.rows), static_cast<cl_ulong>(b.rows * b.columns), row_step,
                           column_step);
  });
}

Tensor compute(Workbench& bench, const Override& op, Inputs inputs) {
  const Tensor& x = inputs[0];
  return bench.compute(x.shape(), [&](const cl::Buffer& y) {
    bench.copy(bench.input(x), y, 0, x.shape().size() * sizeof(float));
    std::map<cl_ulong, cl_float> last;  // later entries win; two items must not write one number
    for (const CellValue& c : op.cells) last[x.index(c.cell)] = c.value;
    if (last.empty()) return;
    std::vector<cl_ulong> indices;
    std::vector<cl_float> values;
    for (const auto& [index, value] : last) {
      indices.push_back(index);
      values.push_back(value);
    }
    bench.launch_by_number("elementwise", "replace", 1, indices.size(), bench.table(indices),
                           bench.table(values), y);
  });
}

template Tensor run(Workbench&, const Scale&, Inputs);
template Tensor run(Workbench&, const Add&, Inputs);
template Tensor run(Workbench&, const Multiply&, Inputs);
template Tensor run(Workbench&, const Override&, Inputs);

}  // namespace attn::opencl
