// Commands that lead from a step of training elsewhere. Private to app/workspaces/training.
#pragma once

#include <vector>

#include "app/workspaces/training/scene.h"

namespace attn {

void onward_commands(std::vector<Command>& table);

}  // namespace attn
