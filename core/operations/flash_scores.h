// What the softmax of flash attention reads, in double: of one query, key by key. Shared by the way there and
// the way back, of the reference and of the explanations.
#pragma once

#include <cmath>
#include <limits>
#include <span>

#include "core/operations/flash.h"
#include "core/operations/matmul.h"

namespace attn {

// What the softmax reads, and by how much it grows with scale·q·k: by 1, or by less under a cap.
struct FlashScore {
  double value = 0, slope = 1;
};

// T: of the stages. Keeps references to the operation and the inputs.
template <class T>
class FlashScores {
 public:
  FlashScores(const FlashAttention& op, std::span<const BasicTensor<T>> inputs, std::size_t head,
              std::size_t row)
      : op_(op),
        inputs_(inputs),
        at_(op),
        head_(head),
        row_(row),
        kept_(KeptKeys(op.masks, inputs[0].rows(), inputs[1].rows(), op.first).of(row)) {}

  bool hides(std::size_t key) const {
    return !has(kept_, key) || (at_.mask && inputs_[at_.mask][{matrix(at_.mask), row_, key}] != 0);
  }
  FlashScore operator()(std::size_t key) const;
  // Which of the matrices of an input the head reads.
  std::size_t matrix(std::size_t input) const {
    return shared_matrix(head_, inputs_[input].stack(), inputs_[0].stack());
  }

 private:
  const FlashAttention& op_;
  std::span<const BasicTensor<T>> inputs_;
  FlashInputs at_;
  std::size_t head_, row_;
  KeyRuns kept_;
};

template <class T>
FlashScore FlashScores<T>::operator()(std::size_t key) const {
  const auto &q = inputs_[0], &k = inputs_[1];
  double product = 0;
  for (std::size_t i = 0; i < q.columns(); ++i)
    product += static_cast<double>(q[{head_, row_, i}]) * static_cast<double>(k[{matrix(1), key, i}]);
  FlashScore score{.value = product * op_.scale};
  if (op_.cap > 0) {
    const double part = std::tanh(score.value / op_.cap);
    score = {op_.cap * part, 1 - part * part};
  }
  const std::ptrdiff_t offset =
      static_cast<std::ptrdiff_t>(key) - op_.first - static_cast<std::ptrdiff_t>(row_);
  if (op_.alibi) score.value += distance_bias(alibi_slope(head_, q.stack()), offset);
  if (at_.offsets)
    score.value += inputs_[at_.offsets][{matrix(at_.offsets), 0, index_of(*op_.offsets, offset)}];
  if (at_.bias) score.value += inputs_[at_.bias][{matrix(at_.bias), row_, key}];
  return score;
}

}  // namespace attn
