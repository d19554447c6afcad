// The commands of lessons: those of the menu, and the keys of the one that is played.
#pragma once

#include <vector>

#include "app/program/commands.h"

namespace attn {

// Behind all others: what is pressed while a lesson is played is the lesson's.
void lesson_commands(std::vector<Command>& list, Application& app);

}  // namespace attn
