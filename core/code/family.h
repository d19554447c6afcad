// For the families' own files alone: what CodeOf is, in the words that they write for each operation.
#pragma once

#include "core/code/formula.h"
#include "core/system/error.h"

namespace attn::code {

// What a family forgot would else be asked of the operation as one of the variant.
template <class Op>
Formula formula(const Op& op, const Given& in) = delete;

template <class Op>
Formula CodeOf<Op>::formula(const Op& op, const Given& in) {
  using code::formula;
  return formula(op, in);
}

}  // namespace attn::code
