// Repeated rows on a device: a matrix of many rows as so many matrices of few.
#include "core/operations/repeated_rows.h"

#include "core/opencl/family.h"

namespace attn::opencl {
namespace {

constexpr std::size_t kNumbersOfItem = 256;  // whose sums are long: more items than by_number makes

}  // namespace

Tensor compute(Workbench& bench, const AddRepeated&, Inputs inputs) {
  const Shape x = inputs[0].shape(), b = inputs[1].shape();
  const std::size_t times = x.stack * x.rows / b.rows;
  return bench.compute(x, [&](const cl::Buffer& y) {
    bench.launch_by_number("elementwise", "add", times, b.rows * b.columns, bench.input(inputs[0]),
                           bench.input(inputs[1]), y, static_cast<cl_ulong>(times));
  });
}

Tensor compute(Workbench& bench, const SumRepeated& op, Inputs inputs) {
  const Shape x = inputs[0].shape();
  const std::size_t columns = op.rows * x.columns, times = x.stack * x.rows / op.rows;
  return bench.compute({1, op.rows, x.columns}, [&](const cl::Buffer& y) {
    const bool groups = bench.context().variant().groups;
    const std::size_t most = std::size_t{1} << 14;
    const std::size_t chunk =
        groups ? divide_up(columns, most) : std::max(kNumbersOfItem, divide_up(columns, most));
    bench.launch("repeated_rows", "sum_repeated",
                 WorkSize{cl::NDRange(divide_up(columns, chunk)), cl::NDRange(1), chunk * (1 + times)},
                 bench.input(inputs[0]), y, static_cast<cl_ulong>(times), cl_ulong{1},
                 static_cast<cl_ulong>(columns), static_cast<cl_ulong>(chunk));
  });
}

template Tensor run(Workbench&, const AddRepeated&, Inputs);
template Tensor run(Workbench&, const SumRepeated&, Inputs);

}  // namespace attn::opencl
