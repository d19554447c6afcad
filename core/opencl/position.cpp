// Position encodings on a device: the sinusoidal angles as fixed-point turns, formed on the host in long
// double.
#include <cmath>
#include <numbers>

#include "core/opencl/family.h"

namespace attn::opencl {
namespace {

// ω/2π modulo 1, times 2^64. Long double has 64 bits on x86-64; with the 53 of a double every row would add
// up to 2^-54 turns of error.
cl_ulong fixed_turns(double frequency) {
  const long double turns = static_cast<long double>(frequency) / (2 * std::numbers::pi_v<long double>);
  const long double fixed = std::ldexp(std::fmod(turns, 1.0L), 64);
  return fixed < 0x1p64L ? static_cast<cl_ulong>(fixed) : 0;  // a whole turn is none
}

}  // namespace

Tensor compute(Workbench& bench, const SinusoidalEncoding& op, Inputs) {
  return bench.compute({1, op.rows, op.columns}, [&](const cl::Buffer& y) {
    std::vector<cl_ulong> turns;
    std::vector<cl_float> frequencies;
    std::vector<cl_uint> slow;
    for (std::size_t column = 0; column < op.columns; ++column) {
      const double frequency = op.frequency(column);
      turns.push_back(fixed_turns(frequency));
      frequencies.push_back(static_cast<cl_float>(frequency));
      slow.push_back(static_cast<double>(op.first + op.rows) * frequency < 0.5);
    }
    bench.launch_by_number("position", "sinusoidal_encoding", op.rows, op.columns, bench.table(turns),
                           bench.table(frequencies), bench.table(slow), y, static_cast<cl_ulong>(op.first));
  });
}

// Numbers out of a generator are data: drawn here as the reference draws them, they reach the device when
// something reads them.
Tensor compute(Workbench& bench, const LearnedTable& op, Inputs) {
  const Shape shape{op.stack, op.rows, op.columns};
  std::vector<float> values(shape.size());
  const std::size_t count = op.rows * op.columns;
  for (std::size_t matrix = 0; matrix < op.stack; ++matrix)
    bench.normals().draw(op.seed, (matrix * op.length + op.first) * op.columns,
                         std::span(values).subspan(matrix * count, count));
  for (float& value : values) value = static_cast<float>(op.sd * static_cast<double>(value));
  return {shape, std::move(values)};
}

template Tensor run(Workbench&, const SinusoidalEncoding&, Inputs);
template Tensor run(Workbench&, const LearnedTable&, Inputs);

}  // namespace attn::opencl
