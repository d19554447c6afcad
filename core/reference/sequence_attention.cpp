// Attention of a batch of sequences and what flows back through it, in double.
#include "core/operations/sequence_attention.h"

#include <algorithm>

#include "core/operations/sequence_row.h"
#include "core/reference/family.h"

namespace attn::reference {

template <class T>
BasicTensor<T> compute(const SequenceAttention& op, TensorsOf<T> inputs) {
  const std::vector<Shape> shapes = SequenceRow<T>::shapes_of(inputs);
  const std::size_t width = SequenceSides(op, shapes).width, head = width / op.heads;
  std::vector<T> values(inputs[0].rows() * width);
  std::vector<double> sums(head);
  for (std::size_t row = 0; row < inputs[0].rows(); ++row)
    for (std::size_t column = 0; column < width; column += head) {
      const SequenceRow<T> of(op, inputs, row, column);
      std::ranges::fill(sums, 0.0);
      for (std::size_t j = 0; j < of.weights.size(); ++j) {
        const auto v = of.values(inputs, j);
        for (std::size_t i = 0; i < head; ++i) sums[i] += of.weights[j] * static_cast<double>(v[i]);
      }
      for (std::size_t i = 0; i < head; ++i) values[row * width + column + i] = static_cast<T>(sums[i]);
    }
  return {{1, inputs[0].rows(), width}, std::move(values)};
}

template <class T>
BasicTensor<T> compute(const SequenceGradient& op, TensorsOf<T> inputs) {
  const std::vector<double> flow = sequence_gradient<T>(op, inputs);
  return {inputs[op.of].shape(), std::vector<T>(flow.begin(), flow.end())};
}

template struct Reference<SequenceAttention>;
template struct Reference<SequenceGradient>;

}  // namespace attn::reference
