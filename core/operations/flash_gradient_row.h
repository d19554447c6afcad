// The way back from one row of flash attention in double, pair by pair. Shared by the reference and the
// explanations.
#pragma once

#include "core/operations/flash_gradient.h"
#include "core/operations/flash_scores.h"

namespace attn {

// Of a query and a key that it sees.
struct FlashPair {
  double weight = 0;
  double to_weight = 0;  // the gradient of the weight, less the row's mean of them
  double slope = 1;      // by how much what the softmax reads grows with scale·q·k
  double to_score() const { return weight * to_weight * slope; }  // the gradient of scale·q·k
};

// T: of the stages. Keeps references to the operation and the inputs.
template <class T>
class FlashBack {
 public:
  FlashBack(const FlashGradient& op, std::span<const BasicTensor<T>> inputs, std::size_t head,
            std::size_t row)
      : scores_(op.forward, inputs, head, row), values_(inputs[2]), head_(head), row_(row) {
    const FlashGradientInputs at(op);
    gradient_ = inputs[at.gradient];
    const auto& result = inputs[at.result];
    log_sum_ = result[{head, row, values_.columns()}];
    for (std::size_t i = 0; i < values_.columns(); ++i)
      mean_ += to_output(i) * static_cast<double>(result[{head, row, i}]);
  }

  bool hides(std::size_t key) const {
    return log_sum_ == -std::numeric_limits<double>::infinity() || scores_.hides(key);
  }
  FlashPair operator()(std::size_t key) const {
    const FlashScore score = scores_(key);
    FlashPair pair{std::exp(score.value - log_sum_), -mean_, score.slope};
    for (std::size_t i = 0; i < values_.columns(); ++i)
      pair.to_weight += to_output(i) * static_cast<double>(values_[{scores_.matrix(2), key, i}]);
    return pair;
  }
  double to_output(std::size_t column) const { return gradient_[{head_, row_, column}]; }
  Cell row() const { return {head_, row_, 0}; }

 private:
  FlashScores<T> scores_;
  BasicTensor<T> values_, gradient_;
  std::size_t head_, row_;
  double log_sum_ = 0, mean_ = 0;
};

// All rows that a matrix of keys meets: those of each head that shares it.
template <class T>
std::vector<FlashBack<T>> rows_of_keys(const FlashGradient& op, std::span<const BasicTensor<T>> inputs,
                                       std::size_t matrix) {
  const std::size_t group = inputs[0].stack() / inputs[1].stack();
  std::vector<FlashBack<T>> rows;
  for (std::size_t head = matrix * group; head < (matrix + 1) * group; ++head)
    for (std::size_t row = 0; row < inputs[0].rows(); ++row) rows.emplace_back(op, inputs, head, row);
  return rows;
}

}  // namespace attn
