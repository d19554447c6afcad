// Walking through the steps, and presenting them.
#pragma once

#include <vector>

#include "app/frame/commands.h"

namespace attn {

class Application;

void stage_commands(std::vector<Command>& list, Application& app);
// One of them, but not what begins and ends a presentation.
bool is_stage_command(const Command& command);

}  // namespace attn
