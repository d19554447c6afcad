// Products of random vectors on a device: an item makes the numbers of a row's query once, and of its keys, a
// register's lanes of keys at a time.
#include "core/opencl/family.h"
#include "core/opencl/pairs.h"

namespace attn::opencl {

Tensor compute(Workbench& bench, const RandomProducts& op, Inputs inputs) {
  return bench.compute({1, op.rows, op.keys}, [&](const cl::Buffer& y) {
    const cl_uint chained = inputs.empty() ? 0 : 1;
    // Blocks of four dimensions, each of ten rounds and some products; a vector of numbers and one of keys
    // may end behind the last, and is at most 16 long.
    const Steps blocks = op.count / 4 + 2, lanes = bench.context().vector_width(), block = 32;
    const Steps query = (blocks + 16) * (block + 5), key = (op.keys / lanes + 1) * (1 + blocks * block + 24);
    bench.launch("random", "random_products", by_query(bench, op.rows, query + key),
                 chained ? bench.input(inputs[0]) : bench.table(std::vector<float>(1)), y, chained,
                 static_cast<cl_uint>(op.seed), static_cast<cl_uint>(op.seed >> 32), dimension(op.first),
                 dimension(op.count), dimension(op.rows), dimension(op.keys));
  });
}

template Tensor run(Workbench&, const RandomProducts&, Inputs);

}  // namespace attn::opencl
