// Words that commands share which compute a layer, and those of trace and code. For *_words.cpp only.
#pragma once

#include "app/cli/options.h"
#include "app/cli/stack_options.h"
#include "app/words/command_parser.h"

namespace attn {

// Words of a command that takes options of a layer.
template <class Request>
struct WithLayer {
  Request request;
  LayerWords layer;
  StackOptionWords stack = {};  // where it takes those too

  void read_change() { request.change = read_options(read_workspace(request.workspace), layer, stack); }
};

// What a layer, or a stack of them, is read from; and what computes it, where that is a choice.
void add_layer_file(Options& options, std::string& input, std::string& workspace);
void add_input(CommandParser& parser, Options& options, std::string& input, std::string& device,
               std::string& workspace);
void add_gradient(Options& options, bool& gradient, std::string& upstream);

void add_trace(CommandParser& parser);
void add_code(CommandParser& parser);

}  // namespace attn
