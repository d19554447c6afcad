// The hidden command that prints the words of the program for the tools of a system.
#include "app/cli/describe.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "app/words/command_parser.h"
#include "app/words/refuse.h"

namespace attn {

std::vector<const CLI::App*> listed_commands(const CLI::App& program) {
  std::vector<const CLI::App*> commands = program.get_subcommands([](const CLI::App*) { return true; });
  std::erase_if(commands, [](const CLI::App* command) { return command->get_group().empty(); });
  return commands;
}

std::vector<const CLI::Option*> listed_options(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) { return !option->get_group().empty(); });
}

void add_describe(CommandParser& parser) {
  const auto form = std::make_shared<std::string>();
  parser
      .add("describe", "",
           [form, &program = parser.app()](Console& console) {
             if (*form == "man")
               console.out << man_page(program);
             else if (*form == "bash")
               console.out << bash_completion(program);
             else
               refuse("describe", *form, "man or bash");
             return int{kDone};
           })
      .add("FORM", *form, "", "man or bash")
      .hide();
}

}  // namespace attn
