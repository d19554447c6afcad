// The commands of the menu Help, and the passages of the manual for the palette.
#pragma once

#include <string>
#include <vector>

#include "app/program/commands.h"

namespace attn {

void help_commands(std::vector<Command>& list, Application& app);
// One for each block that is about something, manual.PAGE.BLOCK, in no menu and without a key. Reads the
// manual.
bool is_passage_command(const std::string& name);
void passage_commands(std::vector<Command>& list, Application& app);

}  // namespace attn
