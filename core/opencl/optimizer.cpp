// A step of learning on a device: one launch a parameter for its moments, one for itself.
#include "core/operations/optimizer.h"

#include <cmath>

#include "core/opencl/family.h"

namespace attn::opencl {
namespace {

// On processors items of few numbers: a parameter has no more than a few thousand, and all cores shall take
// part.
template <class... Arguments>
void launch_numbers(Workbench& bench, const std::string& name, std::size_t count,
                    const Arguments&... arguments) {
  constexpr std::size_t kFewNumbers = 1024, kMostItems = 16384;
  if (bench.context().variant().groups)
    return bench.launch_by_number("optimizer", name, 1, count, arguments...);
  const std::size_t chunk = std::max(kFewNumbers, divide_up(count, kMostItems));
  bench.launch("optimizer", name, WorkSize{cl::NDRange(divide_up(count, chunk)), cl::NDRange(1), chunk},
               arguments..., cl_ulong{1}, static_cast<cl_ulong>(count), static_cast<cl_ulong>(chunk));
}

}  // namespace

Tensor compute(Workbench& bench, const Increment&, Inputs inputs) {
  const Shape x = inputs[0].shape();
  return bench.compute(x, [&](const cl::Buffer& y) {
    bench.launch_by_number("optimizer", "increment", x.stack * x.rows, x.columns, bench.input(inputs[0]), y);
  });
}

Tensor compute(Workbench& bench, const GradientMoments& op, Inputs inputs) {
  return bench.compute(inputs[0].shape(), [&](const cl::Buffer& y) {
    launch_numbers(bench, "moments", inputs[2].shape().size(), bench.input(inputs[0]), bench.input(inputs[1]),
                   bench.input(inputs[2]), y, static_cast<cl_float>(op.beta1),
                   static_cast<cl_float>(1 - op.beta1), static_cast<cl_float>(op.beta2),
                   static_cast<cl_float>(1 - op.beta2), static_cast<cl_float>(op.decay));
  });
}

Tensor compute(Workbench& bench, const ParameterStep& op, Inputs inputs) {
  return bench.compute(inputs[0].shape(), [&](const cl::Buffer& y) {
    launch_numbers(bench, "parameter_step", inputs[0].shape().size(), bench.input(inputs[0]),
                   bench.input(inputs[1]), bench.input(inputs[2]), y, static_cast<cl_uint>(op.kind),
                   static_cast<cl_float>(op.rate), static_cast<cl_float>(op.warm_up),
                   static_cast<cl_float>(std::log(op.beta1)), static_cast<cl_float>(std::log(op.beta2)),
                   static_cast<cl_float>(op.epsilon), static_cast<cl_float>(op.decay));
  });
}

template Tensor run(Workbench&, const Increment&, Inputs);
template Tensor run(Workbench&, const GradientMoments&, Inputs);
template Tensor run(Workbench&, const ParameterStep&, Inputs);

}  // namespace attn::opencl
