// A stack's parameters by the names that PyTorch gives them (torch.nn.TransformerEncoderLayer; SwiGLU's gate
// beside linear1).
#pragma once

#include <string>
#include <vector>

#include "core/transformer/part.h"

namespace attn {

// How one lies in PyTorch: a number for each feature, out×in, or rows as they are here.
enum class ParameterKind { features, weight, rows };

// One of PyTorch's, and what it is here: 1×in×out where it is a weight, rows of a table, else 1×1×out; packed
// ones are three. Parts that the stack lacks are empty tensors.
struct StackParameter {
  std::string name;  // "encoder.layers.0.self_attn.in_proj_weight"
  std::vector<Tensor*> parts;
  ParameterKind kind = ParameterKind::features;
};

// All that a stack of this structure can have, in PyTorch's order. They point into the stack.
std::vector<StackParameter> stack_parameters(StackSpec& stack);

}  // namespace attn
