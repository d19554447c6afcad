// Softmax with cross-entropy on a device, a row by a work-group; its mean by one alone.
#include "core/operations/cross_entropy.h"

#include "core/opencl/by_row.h"
#include "core/opencl/family.h"

namespace attn::opencl {
namespace {

void launch_losses(Workbench& bench, Inputs inputs, const cl::Buffer& y) {
  const Shape z = inputs[0].shape();
  const auto [kernel, range] =
      by_row(bench, "cross_entropy", z.stack * z.rows, passes_of_row(bench, z.columns, 3));
  bench.launch("cross_entropy", kernel, range, bench.input(inputs[0]), bench.input(inputs[1]), y,
               dimension(z.stack * z.rows), dimension(z.columns));
}

// A kernel over all rows that is one work-group's.
RowLaunch by_one(const Workbench& bench, const std::string& name, std::size_t rows) {
  return by_row(bench, name, 1, 2 * rows + 16);
}

Tensor mean_loss(Workbench& bench, Inputs inputs) {
  return bench.compute({1, 1, 1}, [&](const cl::Buffer& y) {
    const std::size_t rows = inputs[1].shape().size();
    const auto losses = bench.scratch(std::max<std::size_t>(1, rows));
    if (rows > 0) launch_losses(bench, inputs, losses->buffer);
    const auto [kernel, range] = by_one(bench, "cross_entropy_mean", rows);
    bench.launch("cross_entropy", kernel, range, losses->buffer,
                 rows > 0 ? bench.input(inputs[1]) : losses->buffer, y, dimension(rows));
  });
}

}  // namespace

Tensor compute(Workbench& bench, const CrossEntropy& op, Inputs inputs) {
  if (op.mean) return mean_loss(bench, inputs);
  return bench.compute(inputs[1].shape(), [&](const cl::Buffer& y) { launch_losses(bench, inputs, y); });
}

Tensor compute(Workbench& bench, const CrossEntropyGradient& op, Inputs inputs) {
  const Shape z = inputs[0].shape();
  return bench.compute(z, [&](const cl::Buffer& y) {
    const std::size_t rows = z.stack * z.rows;
    const cl::Buffer answers = bench.input(inputs[1]);
    const auto count = bench.scratch(1);
    if (op.mean) {
      const auto [kernel, range] = by_one(bench, "rows_asked", rows);
      bench.launch("cross_entropy", kernel, range, answers, count->buffer, dimension(rows));
    }
    const auto [kernel, range] =
        by_row(bench, "cross_entropy_scores", rows, passes_of_row(bench, z.columns, 4));
    bench.launch("cross_entropy", kernel, range, bench.input(inputs[0]), answers, bench.input(inputs[2]),
                 count->buffer, cl_uint{op.mean}, y, dimension(rows), dimension(z.columns));
  });
}

template Tensor run(Workbench&, const CrossEntropy&, Inputs);
template Tensor run(Workbench&, const CrossEntropyGradient&, Inputs);

}  // namespace attn::opencl
