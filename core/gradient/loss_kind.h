// The kinds of losses that gradients are asked of.
#pragma once

namespace attn {

enum class LossKind {
  ones,           // Σ O
  one_hot,        // one number of O
  typed,          // Σ G ⊙ O, G given
  mean_square,    // Σ (O − T)² ÷ numbers asked; where T is NaN nothing is asked
  cross_entropy,  // of each row with its label ≥ 0, the mean
};

}  // namespace attn
