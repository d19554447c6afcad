// The way back through flash attention: what passes to its queries, keys and values, with no score kept.
#pragma once

#include "core/operations/flash.h"

namespace attn {

enum class FlashSide { queries, keys };

// Inputs: those of the forward operation, behind them its result and the gradient dO of its outputs (h×n×c).
// With P = exp(score − log-sum-exp), dP = dO·Vᵀ and dS = P ⊙ (dP − rowsum(dO ⊙ O)), times 1 − (score ÷ cap)²
// before the biases where there is a cap: result h×n×d, dQ = scale·dS·K; or, of the keys, g×m×(d + c): dK =
// scale·dSᵀ·Q and, behind it in each row, dV = Pᵀ·dO, both summed over the heads that share them, in their
// order.
//
// Through a masked pair, and through a row without a key, passes exactly 0, whatever they hold, NaN too, and
// whatever `empty_row` made of the row. Weights are made again by tiles from the log-sum-exp; what is kept is
// O(n). What passes to biases and numbers by offset, and from the log-sum-exp and the weights, is no part of
// it.
struct FlashGradient {
  static constexpr const char* kName = "flash_gradient";
  FlashAttention forward = {};  // by whatever tiles, here it goes by the kernels' own
  FlashSide of = FlashSide::queries;
  bool operator==(const FlashGradient&) const = default;
};

// Which of the inputs they are, besides those of the forward operation.
struct FlashGradientInputs : FlashInputs {
  explicit FlashGradientInputs(const FlashGradient& op) : FlashInputs(op.forward) {
    result = count++;
    gradient = count++;
  }
  std::size_t result = 0, gradient = 0;
};

}  // namespace attn
