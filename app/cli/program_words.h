// All that the command line says and takes.
#pragma once

#include "app/cli/commands.h"
#include "app/cli/options.h"

namespace attn {

class CommandParser;

// What is given without a command: the window's words, and options of the layer that it opens.
struct LabWords {
  LabRequest request;
  LayerWords layer;
};

// Declares every command, and the words of the window.
void add_commands(CommandParser& parser, LabWords& lab);

}  // namespace attn
