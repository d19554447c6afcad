// For explanations of sums in which a 0 hides whatever it meets.
#pragma once

#include <cmath>

#include "core/operations/explain.h"
#include "core/operations/written.h"

namespace attn {

// The product of these. One that is hidden is 0: what is not finite in it is written as it is, and counts as
// 0.
inline Term product_or_hidden(bool hidden, std::vector<Operand> factors) {
  Term term{.operands = std::move(factors), .value = 1};
  for (Operand& factor : term.operands) {
    if (hidden && !std::isfinite(factor.value)) {
      if (factor.text.empty()) factor.text = written(factor.value);
      factor.value = 0;
    }
    term.value *= factor.value;
  }
  if (hidden) term.value = 0;
  return term;
}

}  // namespace attn
