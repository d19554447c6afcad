// Distances, pairs and tanh on a device: all of them number by number.
#include "core/opencl/family.h"

namespace attn::opencl {
namespace {

// Of pairs of Q (h×n×d) and K (g×m×d).
struct Pairs {
  cl_ulong queries, keys, group;  // group: matrices of the result that share one of K
  cl_uint width;
};

Pairs pairs_of(Inputs inputs) {
  const Shape q = inputs[0].shape(), k = inputs[1].shape();
  return {q.rows, k.rows, q.stack / k.stack, dimension(q.columns)};
}

}  // namespace

Tensor compute(Workbench& bench, const Tanh& op, Inputs inputs) {
  const Shape shape = inputs[0].shape();
  return bench.compute(shape, [&](const cl::Buffer& y) {
    bench.launch_by_number("scoring", "capped", 1, shape.size(), bench.input(inputs[0]), y,
                           static_cast<cl_float>(op.cap));
  });
}

Tensor compute(Workbench& bench, const SquaredDistance&, Inputs inputs) {
  const Shape q = inputs[0].shape();
  return bench.compute({q.stack, q.rows, inputs[1].rows()}, [&](const cl::Buffer& y) {
    const Pairs pairs = pairs_of(inputs);
    bench.launch_by_number("scoring", "squared_distance",
                           Extent{q.stack * q.rows, inputs[1].rows(), 2 * q.columns}, bench.input(inputs[0]),
                           bench.input(inputs[1]), y, pairs.queries, pairs.group, pairs.width);
  });
}

Tensor compute(Workbench& bench, const TakeColumns& op, Inputs inputs) {
  const Shape x = inputs[0].shape();
  return bench.compute({x.stack, x.rows, op.count}, [&](const cl::Buffer& y) {
    bench.launch_by_number("scoring", "take_columns", x.stack * x.rows, op.count, bench.input(inputs[0]), y,
                           static_cast<cl_ulong>(op.first), static_cast<cl_ulong>(x.columns));
  });
}

Tensor compute(Workbench& bench, const PairSum&, Inputs inputs) {
  const Shape q = inputs[0].shape();
  const std::size_t rows = q.rows * inputs[1].rows();
  return bench.compute({q.stack, rows, q.columns}, [&](const cl::Buffer& y) {
    const Pairs pairs = pairs_of(inputs);
    bench.launch_by_number("scoring", "pair_sum", q.stack * rows, q.columns, bench.input(inputs[0]),
                           bench.input(inputs[1]), y, pairs.queries, pairs.keys, pairs.group);
  });
}

Tensor compute(Workbench& bench, const PairProduct& op, Inputs inputs) {
  const Shape x = inputs[0].shape();
  const std::size_t queries = op.keys == 0 ? 0 : x.rows / op.keys;
  return bench.compute({x.stack, queries, op.keys}, [&](const cl::Buffer& y) {
    bench.launch_by_number("scoring", "pair_product", Extent{x.stack * queries, op.keys, 2 * x.columns},
                           bench.input(inputs[0]), bench.input(inputs[1]), y, dimension(x.columns));
  });
}

Tensor compute(Workbench& bench, const AdditiveScore&, Inputs inputs) {
  const Shape q = inputs[0].shape();
  return bench.compute({q.stack, q.rows, inputs[1].rows()}, [&](const cl::Buffer& y) {
    const Pairs pairs = pairs_of(inputs);
    bench.launch_by_number("scoring", "additive_score",
                           Extent{q.stack * q.rows, inputs[1].rows(), 2 * q.columns}, bench.input(inputs[0]),
                           bench.input(inputs[1]), bench.input(inputs[2]), y, pairs.queries, pairs.group,
                           pairs.width);
  });
}

template Tensor run(Workbench&, const Tanh&, Inputs);
template Tensor run(Workbench&, const SquaredDistance&, Inputs);
template Tensor run(Workbench&, const TakeColumns&, Inputs);
template Tensor run(Workbench&, const PairSum&, Inputs);
template Tensor run(Workbench&, const PairProduct&, Inputs);
template Tensor run(Workbench&, const AdditiveScore&, Inputs);

}  // namespace attn::opencl
