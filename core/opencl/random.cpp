// Products of random vectors on a device: an item makes the numbers of a row's query once, and of its keys, a
// register's lanes of keys at a time.
#include "core/opencl/family.h"
#include "core/opencl/pairs.h"

namespace attn::opencl {

Tensor compute(Workbench& bench, const RandomProducts& op, Inputs inputs) {
  return bench.compute({1, op.rows, op.keys}, [&](const cl::Buffer& y) {
    const cl_uint chained = inputs.empty() ? 0 : 1;
    bench.launch("random", "random_products", by_query(bench, op.rows),
                 chained ? bench.input(inputs[0]) : bench.table(std::vector<float>(1)), y, chained,
                 static_cast<cl_uint>(op.seed), static_cast<cl_uint>(op.seed >> 32), dimension(op.first),
                 dimension(op.count), dimension(op.rows), dimension(op.keys));
  });
}

template Tensor run(Workbench&, const RandomProducts&, Inputs);

}  // namespace attn::opencl
