// The words of the program for the tools of a system. Both are made of the parser's own table, so that they
// say what
// --help says.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace attn {

class CommandParser;

// Declares "describe man" and "describe bash", which print what follows; assets/package makes files of it.
void add_describe(CommandParser& parser);

// A page of man, section 1, as groff's macros "man" have it, in UTF-8.
std::string man_page(const CLI::App& program);

// What bash completes them by: a script that defines _attention_lab.
std::string bash_completion(const CLI::App& program);

// What --help lists of a command, in its order: no hidden commands, no hidden options.
std::vector<const CLI::App*> listed_commands(const CLI::App& program);
std::vector<const CLI::Option*> listed_options(const CLI::App& command);

}  // namespace attn
