// Cubes on a device.
#include "core/operations/cube.h"

#include "core/opencl/family.h"

namespace attn::opencl {

Tensor compute(Workbench& bench, const Cube&, Inputs inputs) {
  const Shape shape = inputs[0].shape();
  return bench.compute(shape, [&](const cl::Buffer& y) {
    bench.launch_by_number("cube", "cube", 1, shape.size(), bench.input(inputs[0]), y);
  });
}

template Tensor run(Workbench&, const Cube&, Inputs);

}  // namespace attn::opencl
