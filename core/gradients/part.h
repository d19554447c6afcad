// GradientsSpec: the loss whose gradients the workspace of gradients shows, and what is tried beside them. A
// plain value.
#pragma once

#include <cstdint>

#include "core/gradient/loss_kind.h"
#include "core/tensor/tensor.h"

namespace attn {

// What a mean square asks of each token's output, until numbers are typed over it.
enum class LossTarget {
  next,  // X of the next token; nothing of the last
  same,  // its own X
  zero,
};

// Its fields, and all that is said about them, are listed in fields.h.
struct GradientsSpec {
  LossKind loss = LossKind::mean_square;
  std::size_t row = 0, column = 0;  // of the one number of the output; past the last: the last
  LossTarget target = LossTarget::next;
  bool times_number = false;  // each gradient times its number, in place of it
  // What if: the same loss of the layer with one thing otherwise.
  bool scale_off = false, cold = false, no_mask = false, large_inputs = false;
  // Descent: the weights that are wanted of a head, 1×n×m; rows of zeros are not asked. What may learn.
  Tensor wanted;
  bool learn_x = false, learn_q = true, learn_k = false;  // of a direct layer Q and K themselves
  double rate = 0.05;                                     // of Adam
  // Gradients of Q with the scale and without it, of random tokens.
  std::size_t noise_tokens = 16, noise_width = 64;
  std::uint64_t noise_seed = 7;

  bool operator==(const GradientsSpec& other) const;
};

}  // namespace attn
