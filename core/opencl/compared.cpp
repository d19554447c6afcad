// Two layers' numbers compared on a device.
#include "core/operations/compared.h"

#include "core/opencl/family.h"

namespace attn::opencl {

Tensor compute(Workbench& bench, const Compared& op, Inputs inputs) {
  const Shape shape = inputs[0].shape();
  return bench.compute(shape, [&](const cl::Buffer& y) {
    bench.launch_by_number("compared", "compared", 1, shape.size(), bench.input(inputs[0]),
                           bench.input(inputs[1]), y, static_cast<cl_uint>(op.figure));
  });
}

template Tensor run(Workbench&, const Compared&, Inputs);

}  // namespace attn::opencl
