// The commands that record a lesson.
#pragma once

#include <vector>

#include "app/program/commands.h"

namespace attn {

void recording_commands(std::vector<Command>& list, Application& app);

}  // namespace attn
