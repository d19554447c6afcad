// Attention of a batch of sequences on a device: a head of a sequence an item.
#include "core/operations/sequence_attention.h"

#include "core/opencl/family.h"
#include "core/operations/offset.h"

namespace attn::opencl {
namespace {

constexpr cl_uint kOfQueries = 1, kOfKeys = 2, kOfAdded = 4;  // of sequence_attention.cl
constexpr std::size_t kQueries = 8;                           // at least, that an item takes at a time

// SEQUENCE_ARGUMENTS of the kernels, in their order.
template <class Launch>
void with_sides(Workbench& bench, const SequenceAttention& op, Inputs inputs, const SequenceSides& s,
                Launch launch) {
  std::vector<cl_float> slopes(op.heads);
  for (std::size_t head = 0; op.alibi && head < op.heads; ++head)
    slopes[head] = static_cast<cl_float>(alibi_slope(head, op.heads));
  std::vector<cl_uint> index;  // by key − query + queries − 1
  for (std::size_t at = 0; op.offsets && at + 1 < s.queries + s.keys; ++at)
    index.push_back(dimension(
        index_of(*op.offsets, static_cast<std::ptrdiff_t>(at) - static_cast<std::ptrdiff_t>(s.queries - 1))));
  const cl::Buffer q = bench.input(inputs[0]), k = bench.input(inputs[s.of_keys]);
  launch(q, k, k, bench.table(slopes), op.offsets ? bench.input(inputs.back()) : q, bench.table(index),
         dimension(s.added), dimension(s.queries), dimension(s.keys), dimension(s.head),
         dimension(s.query_row), dimension(s.key_row), cl_uint{0}, dimension(s.first_key),
         dimension(s.first_key + s.width), dimension(s.width), static_cast<cl_float>(op.scale),
         cl_uint{op.causal});
}

// Of an item: keys and values laid out, and for each few queries so many products with the keys.
WorkSize items_of(const SequenceAttention& op, const SequenceSides& s, Steps products) {
  const Steps times = divide_up(s.queries, kQueries), laid = 4 * s.keys * (s.head + 16);
  return {cl::NDRange(op.heads, op.sequences), cl::NDRange(1, 1),
          laid + times * (128 * (s.head + 16) + 8 * s.keys + products * (s.keys + 8) * (s.head + 32))};
}

std::vector<Shape> shapes_of(Inputs inputs) {
  std::vector<Shape> shapes;
  for (const Tensor& input : inputs) shapes.push_back(input.shape());
  return shapes;
}

}  // namespace

Tensor compute(Workbench& bench, const SequenceAttention& op, Inputs inputs) {
  const SequenceSides s(op, shapes_of(inputs));
  return bench.compute({1, inputs[0].rows(), s.width}, [&](const cl::Buffer& y) {
    with_sides(bench, op, inputs, s, [&](const auto&... arguments) {
      bench.launch("sequence_attention", "sequence_attention", items_of(op, s, 2), arguments..., y);
    });
  });
}

Tensor compute(Workbench& bench, const SequenceGradient& op, Inputs inputs) {
  const Inputs forward = inputs.first(inputs.size() - 1);
  const SequenceSides s(op.forward, shapes_of(forward));
  const cl_uint of = s.added > 0 && op.of + 1 == forward.size() ? kOfAdded
                     : s.of_keys == 0                           ? kOfQueries | kOfKeys
                     : op.of == 0                               ? kOfQueries
                                                                : kOfKeys;
  return bench.compute(inputs[op.of].shape(), [&](const cl::Buffer& y) {
    with_sides(bench, op.forward, forward, s, [&](const auto&... arguments) {
      bench.launch("sequence_attention", "sequence_back", items_of(op.forward, s, 5), arguments...,
                   bench.input(inputs.back()), y, y, y, of);
    });
  });
}

template Tensor run(Workbench&, const SequenceAttention&, Inputs);
template Tensor run(Workbench&, const SequenceGradient&, Inputs);

}  // namespace attn::opencl
