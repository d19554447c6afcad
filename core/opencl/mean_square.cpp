// A mean square distance on a device: how many numbers are asked, the squares ÷ that, each added up run by
// run; what flows back number by number.
#include "core/operations/mean_square.h"

#include "core/opencl/family.h"
#include "core/opencl/list_runs.h"

namespace attn::opencl {
namespace {

// Added up into `y`: how many numbers `target` asks for; or, with that many `asked`, the squares ÷ it.
struct Squares {
  cl::Buffer x, asked;
};
void launch_sum(Workbench& bench, const Tensor& target, const Squares* squares, const cl::Buffer& y) {
  const std::size_t numbers = target.shape().size();
  const ListRuns runs = list_runs(bench, numbers);
  const auto parts = room_for_sums(bench, runs.count);
  if (runs.count > 0) {
    const cl::Buffer t = bench.input(target);
    const auto [kernel, range] =
        by_row(bench, "mean_square_parts", runs.count, passes_of_row(bench, runs.length, 1));
    bench.launch("mean_square", kernel, range, squares ? squares->x : t, t, squares ? squares->asked : t,
                 cl_uint{squares != nullptr}, parts->buffer, dimension(runs.length), dimension(runs.count),
                 static_cast<cl_ulong>(numbers));
  }
  launch_totals(bench, parts->buffer, y, 1, runs.count, false);
}

}  // namespace

Tensor compute(Workbench& bench, const MeanSquare&, Inputs inputs) {
  return bench.compute({1, 1, 1}, [&](const cl::Buffer& y) {
    const auto asked = bench.scratch(1);
    launch_sum(bench, inputs[1], nullptr, asked->buffer);
    const Squares squares{bench.input(inputs[0]), asked->buffer};
    launch_sum(bench, inputs[1], &squares, y);
  });
}

Tensor compute(Workbench& bench, const MeanSquareGradient&, Inputs inputs) {
  const Shape x = inputs[0].shape();
  return bench.compute(x, [&](const cl::Buffer& y) {
    const auto asked = bench.scratch(1);
    launch_sum(bench, inputs[1], nullptr, asked->buffer);
    bench.launch_by_number("mean_square", "mean_square_gradient", 1, x.size(), bench.input(inputs[0]),
                           bench.input(inputs[1]), bench.input(inputs[2]), asked->buffer, y);
  });
}

template Tensor run(Workbench&, const MeanSquare&, Inputs);
template Tensor run(Workbench&, const MeanSquareGradient&, Inputs);

}  // namespace attn::opencl
