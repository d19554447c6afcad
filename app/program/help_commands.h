// The commands of the menu Help, and the headings of the manual for the palette.
#pragma once

#include <vector>

#include "app/program/commands.h"

namespace attn {

void help_commands(std::vector<Command>& list, Application& app);

}  // namespace attn
