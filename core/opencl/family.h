// For the families' own files alone: what run() is.
#pragma once

#include "core/opencl/families.h"

namespace attn::opencl {

template <class Op>
Tensor run(Workbench& bench, const Op& op, Inputs inputs) {
  return compute(bench, op, inputs);
}

}  // namespace attn::opencl
