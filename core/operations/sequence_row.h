// Attention of sequences row by row, in double: what the reference and the explanations share.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/operations/offset.h"
#include "core/operations/sequence_attention.h"

namespace attn {

// A query's weights, in the head that a column of the result belongs to.
template <class T>
struct SequenceRow {
  SequenceRow(const SequenceAttention& op, std::span<const BasicTensor<T>> inputs, std::size_t row,
              std::size_t column)
      : sides(op, shapes_of(inputs)), sequence(row / sides.queries), query(row % sides.queries) {
    head = column / sides.head;
    const std::size_t seen = op.causal ? std::min(query + 1, sides.keys) : sides.keys;
    const auto q = inputs[0].values().subspan(row * sides.query_row + head * sides.head, sides.head);
    const double slope = op.alibi ? alibi_slope(head, op.heads) : 0;
    double largest = -INFINITY, sum = 0;
    for (std::size_t j = 0; j < seen; ++j) {
      const auto k = numbers(inputs, j, sides.first_key);
      double score = 0;
      for (std::size_t i = 0; i < sides.head; ++i)
        score += static_cast<double>(q[i]) * static_cast<double>(k[i]);
      const double apart = std::abs(static_cast<double>(query) - static_cast<double>(j));
      weights.push_back(op.scale * score - slope * apart);
      if (op.offsets) weights.back() += static_cast<double>(inputs.back().values()[added_place(op, row, j)]);
      if (!(weights.back() <= largest)) largest = weights.back();
    }
    for (double& w : weights) sum += w = std::exp(w - largest);
    for (double& w : weights) w /= sum;
  }

  // The head's numbers of a key's row, its keys from `first` on.
  std::span<const T> numbers(std::span<const BasicTensor<T>> inputs, std::size_t key,
                             std::size_t first) const {
    const std::size_t row = sequence * sides.keys + key;
    return inputs[sides.of_keys].values().subspan(row * sides.key_row + first + head * sides.head,
                                                  sides.head);
  }
  std::span<const T> values(std::span<const BasicTensor<T>> inputs, std::size_t key) const {
    return numbers(inputs, key, sides.first_key + sides.width);
  }
  // Where the number is that is added to the score with a key, in the input of such numbers.
  std::size_t added_place(const SequenceAttention& op, std::size_t row, std::size_t key) const {
    const std::ptrdiff_t offset = static_cast<std::ptrdiff_t>(key) - static_cast<std::ptrdiff_t>(query);
    return (row * op.heads + head) * sides.added + index_of(*op.offsets, offset);
  }
  Cell value_cell(std::size_t key, std::size_t column) const {
    return {0, sequence * sides.keys + key, sides.first_key + sides.width + column};
  }

  static std::vector<Shape> shapes_of(std::span<const BasicTensor<T>> inputs) {
    std::vector<Shape> shapes;
    for (const auto& input : inputs) shapes.push_back(input.shape());
    return shapes;
  }

  SequenceSides sides;
  std::size_t sequence, query, head = 0;
  std::vector<double> weights = {};  // of the keys that it sees
};

// What flows back to an input, row by row; the inputs are those of SequenceGradient.
template <class T>
std::vector<double> sequence_gradient(const SequenceGradient& op, std::span<const BasicTensor<T>> all) {
  const auto inputs = all.first(all.size() - 1);
  const BasicTensor<T>& from = all.back();
  std::vector<std::vector<double>> to;
  for (const auto& input : inputs) to.emplace_back(input.shape().size());
  const std::size_t width = from.columns();
  const std::size_t head = width / op.forward.heads;
  std::vector<double> flow;
  for (std::size_t row = 0; row < from.rows(); ++row)
    for (std::size_t column = 0; column < width; column += head) {
      const SequenceRow<T> of(op.forward, inputs, row, column);
      const auto g = from.values().subspan(row * width + column, head);
      double mean = 0;
      flow.clear();
      for (std::size_t j = 0; j < of.weights.size(); ++j) {
        const auto v = of.values(inputs, j);
        double sum = 0;
        for (std::size_t i = 0; i < head; ++i) sum += static_cast<double>(g[i]) * static_cast<double>(v[i]);
        flow.push_back(sum), mean += of.weights[j] * sum;
      }
      const auto& s = of.sides;
      double* dq = to[0].data() + row * s.query_row + column;
      const T* q = inputs[0].data() + row * s.query_row + column;
      for (std::size_t j = 0; j < of.weights.size(); ++j) {
        const double of_score = of.weights[j] * (flow[j] - mean), ds = op.forward.scale * of_score;
        if (op.forward.offsets) to.back()[of.added_place(op.forward, row, j)] += of_score;
        const auto k = of.numbers(inputs, j, s.first_key);
        double* dk = to[s.of_keys].data() + (of.sequence * s.keys + j) * s.key_row + s.first_key + column;
        for (std::size_t i = 0; i < head; ++i) {
          dq[i] += ds * static_cast<double>(k[i]);
          dk[i] += ds * static_cast<double>(q[i]);
          dk[s.width + i] += of.weights[j] * static_cast<double>(g[i]);
        }
      }
    }
  return std::move(to[op.of]);
}

}  // namespace attn
