// Feature maps on a device: number by number, and of random features row by row. The kernels know no scale:
// where there is one it is a launch of its own.
#include "core/operations/features.h"

#include <cmath>

#include "core/opencl/by_row.h"
#include "core/opencl/family.h"

namespace attn::opencl {
namespace {

void launch_scale(Workbench& bench, const cl::Buffer& x, const cl::Buffer& y, double factor,
                  std::size_t numbers) {
  const Factor by = split(factor);
  bench.launch_by_number("elementwise", "scale", 1, numbers, x, y, by.high, by.low, by.exponent);
}

// scale·X, in memory of its own where that is not X.
struct ScaledInput {
  std::shared_ptr<DeviceMemory> room = nullptr;
  cl::Buffer x;
};
ScaledInput scaled_input(Workbench& bench, const Tensor& x, double scale) {
  if (scale == 1 || x.shape().size() == 0) return {.x = bench.input(x)};
  auto room = bench.scratch(x.shape().size());
  launch_scale(bench, bench.input(x), room->buffer, scale, x.shape().size());
  const cl::Buffer made = room->buffer;
  return {std::move(room), made};
}

cl_uint is_relu(const FeatureMap& op) {
  return op.kind == FeatureKind::relu;
}

}  // namespace

Tensor compute(Workbench& bench, const FeatureMap& op, Inputs inputs) {
  const Shape x = inputs[0].shape();
  const bool random = op.kind == FeatureKind::random;
  const std::size_t count = random ? inputs[1].columns() : x.columns;
  return bench.compute({x.stack, x.rows, count}, [&](const cl::Buffer& y) {
    const ScaledInput from = scaled_input(bench, inputs[0], op.scale);
    if (!random) {
      bench.launch_by_number("features", "plain_features", 1, x.size(), from.x, y, is_relu(op));
      return;
    }
    const std::size_t rows = x.stack * x.rows;
    const auto [kernel, range] = by_row(bench, "random_features", rows,
                                        passes_of_row(bench, x.columns, 2) + 2 * count * (4 + x.columns));
    bench.launch("features", kernel, range, from.x, bench.input(inputs[1]), y,
                 static_cast<cl_float>(1 / std::sqrt(static_cast<double>(count))), dimension(rows),
                 dimension(x.columns), dimension(count));
  });
}

Tensor compute(Workbench& bench, const FeatureMapGradient& op, Inputs inputs) {
  const FeatureMap& map = op.forward;
  const Shape x = inputs[0].shape();
  return bench.compute(x, [&](const cl::Buffer& to) {
    if (map.kind == FeatureKind::random) {
      const ScaledInput from = scaled_input(bench, inputs[0], map.scale);
      const std::size_t count = inputs[1].columns();
      bench.launch_by_number("features", "random_flow", Extent{x.stack * x.rows, x.columns, count + 8},
                             from.x, bench.input(inputs[1]), bench.input(inputs[2]), bench.input(inputs[3]),
                             to, dimension(count));
    } else {
      bench.launch_by_number("features", "plain_flow", 1, x.size(), bench.input(inputs[1]),
                             bench.input(inputs[2]), to, is_relu(map));
    }
    if (map.scale != 1) launch_scale(bench, to, to, map.scale, x.size());
  });
}

template Tensor run(Workbench&, const FeatureMap&, Inputs);
template Tensor run(Workbench&, const FeatureMapGradient&, Inputs);

}  // namespace attn::opencl
