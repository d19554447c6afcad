// The commands of the menu File.
#pragma once

#include <vector>

#include "app/commands.h"

namespace attn {

void file_commands(std::vector<Command>& list, const Application& app);

}  // namespace attn
