// The way back through distances, pairs and tanh on a device: number by number, and to a vector by runs of
// rows that are then added up.
#include "core/opencl/by_row.h"
#include "core/opencl/family.h"
#include "core/opencl/pairs.h"
#include "core/operations/score_pairs.h"

namespace attn::opencl {
namespace {

constexpr std::size_t kMostRuns = 1024;

// As the kernels take the pairs of a row (PAIRS in shaders/scoring_gradient.cl).
struct PairSteps {
  cl_ulong block;
  cl_uint count;
  cl_ulong own, other;
};
PairSteps pair_steps(const ScorePairs& pairs) {
  const cl_uint count = dimension(pairs.count());
  if (pairs.of == ScoreSide::queries) return {pairs.group * pairs.queries, count, pairs.keys, 1};
  return {pairs.keys, count, 1, pairs.keys};
}

// `rows` rows make one vector of `width`: `add_up` launches what leaves a sum for each run of them. `each`:
// steps of the loops at a row and a feature.
struct VectorRuns {
  std::size_t length;
  std::shared_ptr<DeviceMemory> parts;
  WorkSize range;
};
Tensor vector_of(Workbench& bench, std::size_t rows, std::size_t width, Steps each,
                 const std::function<void(const VectorRuns&)>& add_up) {
  return bench.compute({1, 1, width}, [&](const cl::Buffer& y) {
    const std::size_t length = std::max<std::size_t>(1, divide_up(rows, kMostRuns));
    const std::size_t count = divide_up(rows, length), floats_of_sum = 2;
    const auto parts = bench.scratch(floats_of_sum * std::max<std::size_t>(1, count * width));
    if (count > 0) add_up({length, parts, by_row(bench, "", count, width * (1 + length * (1 + each))).range});
    bench.launch("scoring_gradient", "vector_total", by_query(bench, width, count), parts->buffer, y,
                 dimension(count), dimension(width));
  });
}

Tensor additive_vector(Workbench& bench, Inputs inputs) {
  const Shape q = inputs[0].shape(), k = inputs[1].shape();
  const std::size_t rows = q.stack * q.rows;
  return vector_of(bench, rows, q.columns, k.rows, [&](const VectorRuns& runs) {
    bench.launch("scoring_gradient", "additive_parts", runs.range, bench.input(inputs[0]),
                 bench.input(inputs[1]), bench.input(inputs[3]), runs.parts->buffer, dimension(runs.length),
                 static_cast<cl_ulong>(q.rows), static_cast<cl_ulong>(k.rows),
                 static_cast<cl_ulong>(q.stack / k.stack), dimension(rows), dimension(q.columns));
  });
}

Tensor weighed_pairs(Workbench& bench, Inputs inputs) {
  const Shape x = inputs[1].shape();
  const std::size_t rows = x.stack * x.rows;
  return vector_of(bench, rows, x.columns, 0, [&](const VectorRuns& runs) {
    bench.launch("scoring_gradient", "weighed_parts", runs.range, bench.input(inputs[1]),
                 bench.input(inputs[0]), runs.parts->buffer, dimension(runs.length), dimension(rows),
                 dimension(x.columns));
  });
}

}  // namespace

Tensor compute(Workbench& bench, const TanhGradient& op, Inputs inputs) {
  const Shape shape = inputs[0].shape();
  return bench.compute(shape, [&](const cl::Buffer& y) {
    const auto cap = static_cast<cl_float>(op.cap);
    bench.launch_by_number("scoring_gradient", "tanh_gradient", 1, shape.size(), bench.input(inputs[0]),
                           bench.input(inputs[1]), y, cap,
                           static_cast<cl_float>(op.cap - static_cast<double>(cap)));
  });
}

Tensor compute(Workbench& bench, const PutColumns& op, Inputs inputs) {
  const Shape x = inputs[0].shape();
  return bench.compute({x.stack, x.rows, op.width}, [&](const cl::Buffer& y) {
    bench.launch_by_number("scoring_gradient", "put_columns", x.stack * x.rows, op.width,
                           bench.input(inputs[0]), y, static_cast<cl_ulong>(op.first),
                           static_cast<cl_ulong>(x.columns));
  });
}

Tensor compute(Workbench& bench, const DistanceGradient& op, Inputs inputs) {
  const std::size_t own = op.of == ScoreSide::queries ? 0 : 1;
  const Shape shape = inputs[own].shape();
  return bench.compute(shape, [&](const cl::Buffer& y) {
    const PairSteps pairs = pair_steps(score_pairs(op.of, inputs[0].shape(), inputs[1].shape()));
    bench.launch_by_number("scoring_gradient", "distance_gradient",
                           Extent{shape.stack * shape.rows, shape.columns, Steps{2} * pairs.count},
                           bench.input(inputs[own]), bench.input(inputs[1 - own]), bench.input(inputs[2]), y,
                           pairs.block, pairs.count, pairs.own, pairs.other);
  });
}

Tensor compute(Workbench& bench, const PairSumGradient& op, Inputs inputs) {
  const ScorePairs sides = score_pairs(op, inputs[0].shape());
  const bool of_queries = op.of == ScoreSide::queries;
  const Shape shape{of_queries ? inputs[0].stack() : inputs[0].stack() / op.summed,
                    of_queries ? sides.queries : sides.keys, inputs[0].columns()};
  return bench.compute(shape, [&](const cl::Buffer& y) {
    const PairSteps pairs = pair_steps(sides);
    bench.launch_by_number("scoring_gradient", "pair_sum_gradient",
                           Extent{shape.stack * shape.rows, shape.columns, pairs.count},
                           bench.input(inputs[0]), y, pairs.block, pairs.count, pairs.own, pairs.other);
  });
}

Tensor compute(Workbench& bench, const PairProductGradient& op, Inputs inputs) {
  if (op.of == ScoreSide::vector) return weighed_pairs(bench, inputs);
  const Shape g = inputs[0].shape();
  const std::size_t width = inputs[1].columns();
  return bench.compute({g.stack, g.rows * g.columns, width}, [&](const cl::Buffer& y) {
    bench.launch_by_number("scoring_gradient", "pair_flow", g.size(), width, bench.input(inputs[0]),
                           bench.input(inputs[1]), y);
  });
}

Tensor compute(Workbench& bench, const AdditiveGradient& op, Inputs inputs) {
  if (op.of == ScoreSide::vector) return additive_vector(bench, inputs);
  const std::size_t own = op.of == ScoreSide::queries ? 0 : 1;
  const Shape shape = inputs[own].shape();
  return bench.compute(shape, [&](const cl::Buffer& y) {
    const PairSteps pairs = pair_steps(score_pairs(op.of, inputs[0].shape(), inputs[1].shape()));
    bench.launch_by_number("scoring_gradient", "additive_gradient",
                           Extent{shape.stack * shape.rows, shape.columns, Steps{2} * pairs.count},
                           bench.input(inputs[own]), bench.input(inputs[1 - own]), bench.input(inputs[2]),
                           bench.input(inputs[3]), y, pairs.block, pairs.count, pairs.own, pairs.other);
  });
}

template Tensor run(Workbench&, const TanhGradient&, Inputs);
template Tensor run(Workbench&, const PutColumns&, Inputs);
template Tensor run(Workbench&, const DistanceGradient&, Inputs);
template Tensor run(Workbench&, const PairSumGradient&, Inputs);
template Tensor run(Workbench&, const PairProductGradient&, Inputs);
template Tensor run(Workbench&, const AdditiveGradient&, Inputs);

}  // namespace attn::opencl
