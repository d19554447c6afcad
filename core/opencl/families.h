// The host side of every operation, one file per family: which kernel, with which arguments and grid.
#pragma once

#include "core/opencl/workbench.h"
#include "core/operation.h"

namespace attn::opencl {

Tensor run(Workbench& bench, const Source& op, Inputs inputs);
Tensor run(Workbench& bench, const MatMul& op, Inputs inputs);
Tensor run(Workbench& bench, const Project& op, Inputs inputs);
Tensor run(Workbench& bench, const Scale& op, Inputs inputs);
Tensor run(Workbench& bench, const Add& op, Inputs inputs);
Tensor run(Workbench& bench, const Override& op, Inputs inputs);
Tensor run(Workbench& bench, const Mask& op, Inputs inputs);
Tensor run(Workbench& bench, const MaskFill& op, Inputs inputs);
Tensor run(Workbench& bench, const RowMaximum& op, Inputs inputs);
Tensor run(Workbench& bench, const Exponential& op, Inputs inputs);
Tensor run(Workbench& bench, const RowSum& op, Inputs inputs);
Tensor run(Workbench& bench, const Normalize& op, Inputs inputs);
Tensor run(Workbench& bench, const Dropout& op, Inputs inputs);
Tensor run(Workbench& bench, const Concat& op, Inputs inputs);
Tensor run(Workbench& bench, const SinusoidalEncoding& op, Inputs inputs);

}  // namespace attn::opencl
