// Normalised rows on a device, and what flows back through them: a row by a work-group; sums over rows in
// runs of them, which are then added up.
#include "core/operations/row_norm.h"

#include <cmath>

#include "core/opencl/by_row.h"
#include "core/opencl/family.h"
#include "core/opencl/pairs.h"

namespace attn::opencl {
namespace {

constexpr std::size_t kRunsOfProcessor = 64, kRunsOfGpu = 512;

// The smallest power of two that a row is taken at: ε ÷ its square stays within the range of float.
cl_int least_power(double epsilon) {
  constexpr int kMostOfEpsilon = 100, kLeast = -126;
  return epsilon > 0 ? std::max(kLeast, (std::ilogb(epsilon) - kMostOfEpsilon) / 2) : kLeast;
}

// NORM_ARGUMENTS of row_norm.cl.
template <class Launch>
void with_norm(const RowNorm& norm, const Shape& x, Launch launch) {
  launch(cl_uint{norm.centred}, static_cast<cl_float>(norm.epsilon), least_power(norm.epsilon),
         dimension(x.stack * x.rows), dimension(x.columns));
}

// A result of one row for all, or for each of some matrices: `add_up` launches what leaves a sum for each run
// of rows, `count` of them a matrix.
struct Runs {
  std::size_t matrices, rows, count, length;
  std::shared_ptr<DeviceMemory> parts;
};
Tensor over_rows(Workbench& bench, const Shape& x, bool each,
                 const std::function<void(const Runs&)>& add_up) {
  const std::size_t matrices = each ? x.stack : 1, rows = each ? x.rows : x.stack * x.rows;
  return bench.compute({matrices, 1, x.columns}, [&](const cl::Buffer& y) {
    const std::size_t width = bench.context().vector_width(), vectors = divide_up(x.columns, width);
    const std::size_t in_all = bench.context().variant().groups ? kRunsOfGpu : kRunsOfProcessor;
    const std::size_t most = std::max<std::size_t>(1, in_all / matrices);
    const std::size_t length = std::max<std::size_t>(1, divide_up(rows, most)),
                      count = divide_up(rows, length);
    const std::size_t numbers = 2 * matrices * std::max<std::size_t>(1, count) * vectors * width;
    const Runs runs{matrices, rows, count, length, bench.scratch(numbers)};
    if (count > 0) add_up(runs);
    bench.launch("row_norm", "column_total", by_query(bench, matrices * vectors, width * (1 + count)),
                 runs.parts->buffer, y, dimension(count), dimension(matrices), dimension(x.columns));
  });
}

Tensor gradient_of_gain(Workbench& bench, const RowNorm& norm, Inputs inputs) {
  const Shape x = inputs[0].shape();
  return over_rows(bench, x, false, [&](const Runs& runs) {
    const auto [kernel, range] =
        by_row(bench, "row_norm_gain", runs.count, runs.length * passes_of_row(bench, x.columns, 4));
    with_norm(norm, x, [&](const auto&... arguments) {
      bench.launch("row_norm", kernel, range, bench.input(inputs[0]), bench.input(inputs[1]),
                   runs.parts->buffer, dimension(runs.length), arguments...);
    });
  });
}

}  // namespace

Tensor compute(Workbench& bench, const RowNorm& op, Inputs inputs) {
  const Shape x = inputs[0].shape();
  return bench.compute(x, [&](const cl::Buffer& y) {
    const auto [kernel, range] =
        by_row(bench, "row_norm", x.stack * x.rows, passes_of_row(bench, x.columns, 4));
    const cl::Buffer numbers = bench.input(inputs[0]);
    const auto given = [&](std::size_t input) {
      return input < inputs.size() ? bench.input(inputs[input]) : numbers;
    };  // some buffer; not read
    with_norm(op, x, [&](const auto&... arguments) {
      bench.launch("row_norm", kernel, range, numbers, given(1), given(2),
                   static_cast<cl_uint>(inputs.size() - 1), y, arguments...);
    });
  });
}

Tensor compute(Workbench& bench, const RowNormGradient& op, Inputs inputs) {
  if (op.of == RowNormGradient::gain) return gradient_of_gain(bench, op.norm, inputs);
  const Shape x = inputs[0].shape();
  return bench.compute(x, [&](const cl::Buffer& y) {
    const auto [kernel, range] =
        by_row(bench, "row_norm_rows", x.stack * x.rows, passes_of_row(bench, x.columns, 5));
    const cl::Buffer numbers = bench.input(inputs[0]);
    const cl::Buffer gain = inputs.size() > 2 ? bench.input(inputs[2]) : numbers;
    with_norm(op.norm, x, [&](const auto&... arguments) {
      bench.launch("row_norm", kernel, range, numbers, bench.input(inputs[1]), gain,
                   static_cast<cl_uint>(inputs.size() - 2), y, arguments...);
    });
  });
}

Tensor compute(Workbench& bench, const ColumnSum& op, Inputs inputs) {
  const Shape x = inputs[0].shape();
  return over_rows(bench, x, op.each, [&](const Runs& runs) {
    const Steps steps = runs.length * passes_of_row(bench, x.columns, 1);
    const WorkSize range = by_row(bench, "", runs.matrices * runs.count, steps).range;
    bench.launch("row_norm", "column_parts", range, bench.input(inputs[0]), runs.parts->buffer,
                 dimension(runs.length), dimension(runs.count), dimension(runs.matrices),
                 dimension(runs.rows), dimension(x.columns));
  });
}

template Tensor run(Workbench&, const RowNorm&, Inputs);
template Tensor run(Workbench&, const RowNormGradient&, Inputs);
template Tensor run(Workbench&, const ColumnSum&, Inputs);

}  // namespace attn::opencl
