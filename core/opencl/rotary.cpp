// Rotation on a device: cosines and sines of every position and pair, made here in double and rounded once.
#include <cmath>

#include "core/opencl/family.h"

namespace attn::opencl {

Tensor compute(Workbench& bench, const Rotate& op, Inputs inputs) {
  const Shape shape = inputs[0].shape();
  return bench.compute(shape, [&](const cl::Buffer& y) {
    const std::size_t turned = op.rotary.turned(shape.columns), pairs = turned / 2;
    std::vector<double> frequencies;
    for (std::size_t pair = 0; pair < pairs; ++pair)
      frequencies.push_back(rotary_frequency(op.rotary, turned, pair));
    const double gain = rotary_gain(op.rotary);
    std::vector<cl_float> cosines, sines;
    for (std::size_t row = 0; row < shape.rows; ++row)
      for (const double frequency : frequencies) {
        const double angle = static_cast<double>(op.first + row) * frequency;
        cosines.push_back(static_cast<cl_float>(gain * std::cos(angle)));
        sines.push_back(static_cast<cl_float>(gain * std::sin(angle)));
      }
    const cl_uint split = op.rotary.pairing == Pairing::half;
    bench.launch_by_number("rotary", "rotate_pairs", shape.stack * shape.rows, shape.columns,
                           bench.input(inputs[0]), bench.table(cosines), bench.table(sines), y,
                           static_cast<cl_ulong>(shape.rows), static_cast<cl_ulong>(turned), split);
  });
}

template Tensor run(Workbench&, const Rotate&, Inputs);

}  // namespace attn::opencl
