// Files with the parameters of a stack, by PyTorch's names, as documents.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/program/input.h"
#include "core/io/array_file.h"

namespace attn {

// Whether they are those of a stack: parameters of a first layer, and no inputs of a layer alone.
bool hold_stack(const NamedArrays& arrays);
bool hold_stack(const std::vector<ListedArray>& arrays);
// All of a .safetensors file with a stack that can be read; none of any other. Those that cannot, and that no
// stack has, are `unread`, in words. Throws Error naming one that a stack has.
std::optional<NamedArrays> stack_in_safetensors(const std::string& path, std::string* unread);

// The document whose stack they are, as PyTorch has it when nothing is said: norms after the boxes, ReLU, one
// head. A is the attention of its first layer over what goes in, where that is given as rows. Arrays that no
// stack has are noted. Throws Error naming the array and the reason.
Document stack_of_arrays(NamedArrays arrays, FileNotes* notes);

}  // namespace attn
