// Rows of tasks drawn on a device: an item a row.
#include "core/operations/task_rows.h"

#include "core/opencl/family.h"
#include "core/opencl/pairs.h"

namespace attn::opencl {
namespace {

// What the kernel takes as `first` and `second`.
std::pair<std::size_t, std::size_t> told(const TaskRows& op, Inputs inputs) {
  if (op.kind == TaskKind::recall) return {recall_pairs(op.length, op.symbols), 0};
  if (op.kind == TaskKind::table) return {op.trained, inputs[1].rows()};
  const Periods of = induction_periods(op.length, op.symbols);
  return {of.least, of.most};
}

}  // namespace

Tensor compute(Workbench& bench, const TaskRows& op, Inputs inputs) {
  const bool target = op.part == TaskRows::target;
  const std::size_t width = target ? op.answers : op.length;
  return bench.compute({1, op.rows * width, 1}, [&](const cl::Buffer& y) {
    const auto [first, second] = told(op, inputs);
    const cl::Buffer step = bench.input(inputs[0]);
    constexpr Steps kWord = 12;  // at each symbol
    bench.launch("task_rows", "task_rows",
                 by_query(bench, op.rows, kWord * (2 * op.symbols + op.length + op.answers)), step,
                 inputs.size() > 1 ? bench.input(inputs[1]) : step, y, static_cast<cl_uint>(op.kind),
                 cl_uint{target}, static_cast<cl_uint>(op.seed), static_cast<cl_uint>(op.seed >> 32),
                 dimension(op.rows), dimension(op.length), dimension(op.answers), dimension(op.symbols),
                 dimension(first), dimension(second));
  });
}

template Tensor run(Workbench&, const TaskRows&, Inputs);

}  // namespace attn::opencl
