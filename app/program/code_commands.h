// The whole computation on the clipboard, as a program of another language or a text.
#pragma once

#include <vector>

#include "app/frame/commands.h"

namespace attn {

// edit.copy_code.NUMPY …, a command for each kind (core/io/code_kinds.h). Throws Error where it is too large
// for the clipboard, or for what that kind cannot do.
void code_commands(std::vector<Command>& table);

}  // namespace attn
