// One row of flash attention in double: its scores, and the weights that they become. Shared by the reference
// and the explanations.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/operations/flash_scores.h"

namespace attn {

// T: of the stages.
template <class T>
struct FlashRow {
  FlashRow(const FlashAttention& op, std::span<const BasicTensor<T>> inputs, std::size_t head,
           std::size_t row);

  std::vector<char> hidden;     // by key
  std::vector<double> weights;  // by key
  double log_sum = 0;

  // A key's in the result.
  double weight(std::size_t key) const { return hidden[key] ? 0 : weights[key]; }
  // Column `column` of the output.
  double output(const BasicTensor<T>& values, std::size_t matrix, std::size_t column) const {
    double sum = 0;
    for (std::size_t j = 0; j < weights.size(); ++j)
      if (!hidden[j]) sum += weights[j] * static_cast<double>(values[{matrix, j, column}]);
    return sum;
  }

 private:
  void weigh(const FlashAttention& op);
};

template <class T>
FlashRow<T>::FlashRow(const FlashAttention& op, std::span<const BasicTensor<T>> inputs, std::size_t head,
                      std::size_t row) {
  const FlashScores<T> scores(op, inputs, head, row);
  for (std::size_t j = 0; j < inputs[1].rows(); ++j) {
    hidden.push_back(scores.hides(j));
    weights.push_back(hidden[j] ? -std::numeric_limits<double>::infinity() : scores(j).value);
  }
  weigh(op);
}

template <class T>
void FlashRow<T>::weigh(const FlashAttention& op) {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  double largest = op.with_one ? 0 : kNone;
  for (const double score : weights) largest = score > largest || std::isnan(score) ? score : largest;
  if (largest == kNone) {
    const bool uniform = op.empty_row == EmptyRow::uniform;
    const double weight = op.empty_row == EmptyRow::nan ? std::numeric_limits<double>::quiet_NaN()
                          : uniform                     ? 1 / static_cast<double>(weights.size())
                                                        : 0;
    std::ranges::fill(weights, weight);
    // Where nothing is left to a query the choice is about all keys.
    std::ranges::fill(hidden, op.empty_row == EmptyRow::zeros);
    log_sum = kNone;
    return;
  }
  double sum = op.with_one ? std::exp(-largest) : 0;
  for (double& score : weights) sum += score = std::exp(score - largest);
  for (double& weight : weights) weight /= sum;
  log_sum = largest + std::log(sum);
}

}  // namespace attn
