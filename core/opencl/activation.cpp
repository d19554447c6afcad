// Activations and what flows back through them on a device, number by number.
#include "core/operations/activation.h"

#include "core/opencl/family.h"

namespace attn::opencl {

Tensor compute(Workbench& bench, const Activation& op, Inputs inputs) {
  const Shape x = inputs[0].shape();
  return bench.compute(x, [&](const cl::Buffer& y) {
    bench.launch_by_number("activation", "activation", 1, x.size(), bench.input(inputs[0]), y,
                           static_cast<cl_uint>(op.kind));
  });
}

Tensor compute(Workbench& bench, const ActivationGradient& op, Inputs inputs) {
  const Shape x = inputs[0].shape();
  return bench.compute(x, [&](const cl::Buffer& to) {
    bench.launch_by_number("activation", "activation_gradient", 1, x.size(), bench.input(inputs[0]),
                           bench.input(inputs[1]), to, static_cast<cl_uint>(op.kind));
  });
}

template Tensor run(Workbench&, const Activation&, Inputs);
template Tensor run(Workbench&, const ActivationGradient&, Inputs);

}  // namespace attn::opencl
