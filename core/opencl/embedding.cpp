// Embeddings on a device: rows copied, and what flows back to them added up along the tokens of each id.
#include "core/operations/embedding.h"

#include "core/opencl/family.h"

namespace attn::opencl {
namespace {

// Of embedding_gradient.cl; and rows of a table times tokens, up to which each looks through all of them.
constexpr std::size_t kMostGathered = 512, kMostLooks = std::size_t{1} << 18;

bool is_gathered(const Context& context, std::size_t rows, std::size_t tokens, std::size_t columns) {
  return !context.variant().groups && columns <= kMostGathered && rows > 0 && tokens > 0 &&
         tokens <= kMostLooks / rows;
}

}  // namespace

Tensor compute(Workbench& bench, const Embedding&, Inputs inputs) {
  const Shape table = inputs[0].shape();
  const std::size_t tokens = inputs[1].rows();
  return bench.compute({1, tokens, table.columns}, [&](const cl::Buffer& y) {
    const cl::Buffer ids = bench.input(inputs[1]);  // stands for a table without rows, which nobody reads
    bench.launch_by_number("embedding", "embedding", tokens, table.columns,
                           table.rows > 0 ? bench.input(inputs[0]) : ids, ids, y, dimension(table.rows));
  });
}

// A number of a list of tokens has the size of a float.
Tensor compute(Workbench& bench, const EmbeddingGradient& op, Inputs inputs) {
  const std::size_t tokens = inputs[1].rows(), columns = inputs[0].columns();
  return bench.compute({1, op.rows, columns}, [&](const cl::Buffer& to) {
    if (is_gathered(bench.context(), op.rows, tokens, columns)) {
      bench.launch("embedding_gradient", "embedding_gathered",
                   WorkSize{cl::NDRange(op.rows), cl::NDRange(1), tokens * (2 + columns) + 4 * columns + 64},
                   bench.input(inputs[0]), bench.input(inputs[1]), to, dimension(op.first), dimension(tokens),
                   dimension(columns));
      return;
    }
    const auto earliest = bench.scratch(op.rows), next = bench.scratch(std::max<std::size_t>(1, tokens));
    bench.launch_by_number("embedding_gradient", "no_tokens", 1, op.rows, earliest->buffer);
    if (tokens > 0)
      bench.launch_by_number("embedding_gradient", "chain_tokens", Extent{1, tokens, tokens + 1},
                             bench.input(inputs[1]), earliest->buffer, next->buffer, dimension(op.first),
                             dimension(op.rows));
    bench.launch_by_number("embedding_gradient", "embedding_gradient", Extent{op.rows, columns, tokens},
                           tokens > 0 ? bench.input(inputs[0]) : next->buffer, earliest->buffer, next->buffer,
                           to);
  });
}

template Tensor run(Workbench&, const Embedding&, Inputs);
template Tensor run(Workbench&, const EmbeddingGradient&, Inputs);

}  // namespace attn::opencl
