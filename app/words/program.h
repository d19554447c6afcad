// Program: the commands of the command line, each with its options and what it does.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "app/words/console.h"

namespace attn {

inline constexpr const char* kProgram = "attention-lab";

// What --help says of them.
inline constexpr const char* kStatuses =
    "Exit status: 0 done; 1 out of memory or a bug, of compare also a difference; 2 unknown words, or "
    "options that don't fit the input;\n"
    "3 the device asked for is missing or failed; 4 a bad input file; 5 the output could not be written.";

struct Program {
  // Its status. It throws Error; the command line turns that into one, and then nothing is printed or
  // written.
  using Run = std::function<int(Console&)>;

  CLI::App app{"Attention, computed stage by stage.", kProgram};
  std::vector<std::pair<CLI::App*, Run>> commands = {};
  std::string patience = {};  // with one call of a driver, as given to any of them

  // CLI11 fills what the options point to when it parses: `run` keeps it.
  CLI::App& add(const char* name, const std::string& says, Run run) {
    commands.emplace_back(app.add_subcommand(name, says), std::move(run));
    return *commands.back().first;
  }
};

// An option that takes a value of this kind: "N".
inline CLI::Option* add_word(CLI::App& command, const char* name, std::string& word, const char* value,
                             const std::string& says) {
  return command.add_option(name, word, says)->type_name(value);
}

// What every command takes that computes on a device.
inline void add_device(Program& program, CLI::App& command, std::string& device) {
  add_word(command, "--device", device, "auto|reference|N|NAME", "where to compute");
  add_word(command, "--patience", program.patience, "SECONDS",
           "how long one call of a device's driver may take; then the reference computes (30)");
}

}  // namespace attn
