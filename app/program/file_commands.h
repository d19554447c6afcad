// The commands of the menu File.
#pragma once

#include <vector>

#include "app/frame/commands.h"

namespace attn {

void file_commands(std::vector<Command>& list, Application& app);

}  // namespace attn
