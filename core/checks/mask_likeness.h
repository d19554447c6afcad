// A mask given cell by cell, compared with the rules: which of them it nearly is, and where it is not.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/operations/mask_rules.h"
#include "core/tensor/tensor.h"

namespace attn {

struct MaskLikeness {
  std::vector<MaskTerm> rules;  // joined by OR
  std::size_t cells = 0;        // that differ; 0: the mask is what the rules say
  Cell first;                   // of these, row by row
};

// Of one matrix of a mask S×n×m (nonzero = masked), the nearest of: causal of either alignment, window
// (that masks a sixteenth of the cells), strided up to 64 and a third of the tokens, each of these two with
// causal too, padding of one length, prefix, blocks. Near: at least
// eight times as many cells are masked by the rules, and as many are kept, as there are differences. Of
// equally near ones the first. Nothing when none is near, or when `give_up` (asked for each row) says so.
std::optional<MaskLikeness> likeness_of(const Tensor& mask, std::size_t matrix,
                                        const std::function<bool()>& give_up = {});

}  // namespace attn
