// A mask as PyTorch takes it. The same truth value means opposite things in public programs: what is written
// says which.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/operations/mask.h"
#include "core/tensor/tensor.h"

namespace attn {

enum class MaskConvention {
  masked,    // True: the key is hidden, as in torch.nn.MultiheadAttention
  kept,      // True: the key takes part, as in scaled_dot_product_attention
  additive,  // a float to be added to the scores: 0, or what hides
};

struct MaskConventionText {
  MaskConvention convention;
  std::string_view title;
};
inline constexpr std::array kMaskConventions{MaskConventionText{MaskConvention::masked, "True = masked"},
                                             MaskConventionText{MaskConvention::kept, "True = kept"},
                                             MaskConventionText{MaskConvention::additive, "added to scores"}};

// What one cell is there: "True", "False", "0.0", "-inf". `fill` says what is added to a masked score; one
// that replaces stands for −∞, since nothing that is added does what it does.
std::string mask_value(bool masked, MaskConvention convention, Fill fill);

// "mask = torch.tensor([[False, True], …])  # True = masked": of S×n×m (nonzero = masked), one matrix as n×m.
std::string mask_code(const Tensor& mask, MaskConvention convention, Fill fill);

}  // namespace attn
