// What the backend calls: the host side of every operation.
#pragma once

#include "core/opencl/workbench.h"
#include "core/operations/operation.h"

namespace attn::opencl {

// Which kernel, with which arguments and grid. Declared once for all operations: each family's file writes
// compute() for its own and instantiates this (family.h). The program does not link without it.
template <class Op>
Tensor run(Workbench& bench, const Op& op, Inputs inputs);

}  // namespace attn::opencl
