// Rotation on a device: cosines and sines of every position and pair, made here in double and rounded once.
#include <cmath>
#include <vector>

#include "core/opencl/family.h"

namespace attn::opencl {
namespace {

// Of positions first … first + rows, position by position: gain·cos and gain·sin of every pair's angle.
struct TurnCounts {
  std::vector<cl_float> cosines, sines;
};

// Each turn is the last one turned on by θ, in double, and worked out anew every so many rows: its error
// stays some 10⁻¹⁴, far below a float's rounding, and costs a twentieth.
TurnCounts turns_of(const Rotate& op, std::size_t rows, std::size_t turned) {
  constexpr std::size_t kAnew = 64;
  const std::size_t pairs = turned / 2;
  const double gain = rotary_gain(op.rotary);
  std::vector<double> frequencies(pairs), c(pairs), s(pairs), x(pairs), y(pairs);
  for (std::size_t i = 0; i < pairs; ++i) {
    frequencies[i] = turn_of(op, turned, i);
    c[i] = std::cos(frequencies[i]), s[i] = std::sin(frequencies[i]);
  }
  TurnCounts turns;
  turns.cosines.reserve(rows * pairs), turns.sines.reserve(rows * pairs);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t i = 0; i < pairs; ++i) {
      if (row % kAnew == 0) {
        const double angle = static_cast<double>(op.first + row) * frequencies[i];
        x[i] = gain * std::cos(angle), y[i] = gain * std::sin(angle);
      }
      turns.cosines.push_back(static_cast<cl_float>(x[i]));
      turns.sines.push_back(static_cast<cl_float>(y[i]));
      const double next = x[i] * c[i] - y[i] * s[i];
      y[i] = x[i] * s[i] + y[i] * c[i], x[i] = next;
    }
  return turns;
}

}  // namespace

Tensor compute(Workbench& bench, const Rotate& op, Inputs inputs) {
  const Shape shape = inputs[0].shape();
  return bench.compute(shape, [&](const cl::Buffer& y) {
    const std::size_t turned = op.rotary.turned(shape.columns);
    const TurnCounts turns = turns_of(op, shape.rows, turned);
    const cl_uint split = op.rotary.pairing == Pairing::half;
    bench.launch_by_number("rotary", "rotate_pairs", shape.stack * shape.rows, shape.columns,
                           bench.input(inputs[0]), bench.table(turns.cosines), bench.table(turns.sines), y,
                           static_cast<cl_ulong>(shape.rows), static_cast<cl_ulong>(turned), split);
  });
}

template Tensor run(Workbench&, const Rotate&, Inputs);

}  // namespace attn::opencl
