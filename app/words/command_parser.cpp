// The parser, CLI11, behind the few things that commands ask of it: reading it takes a compiler seconds.
#include "app/words/command_parser.h"

#include <CLI/CLI.hpp>

#include "app/words/version.h"

namespace attn {
namespace {

constexpr const char* kStatuses =
    "Exit status: 0 done; 1 out of memory or a bug, of compare also a difference; 2 unknown words, or "
    "options that don't fit the input;\n"
    "3 the device asked for is missing or failed; 4 a bad input file; 5 the output could not be written.";

}  // namespace

Options& Options::add(const char* name, std::string& word, const char* value, const std::string& says) {
  last_ = command_->add_option(name, word, says)->type_name(value);
  return *this;
}

Options& Options::add(const char* name, bool& on, const std::string& says) {
  last_ = command_->add_flag(name, on, says);
  return *this;
}

Options& Options::add_device(std::string& device) {
  return add("--device", device, "auto|reference|N|NAME", "where to compute");
}

Options& Options::required() {
  last_->required();
  return *this;
}

Options& Options::add_hidden(const char* name, long long& number) {
  last_ = command_->add_option(name, number)->group("");
  return *this;
}

Options& Options::add_hidden(const char* name, std::string& word) {
  last_ = command_->add_option(name, word)->group("");
  return *this;
}

void Options::end_with_statuses(const std::string& words) {
  command_->footer(words + kStatuses);
}

void Options::hide() {
  command_->group("");
}

CommandParser::CommandParser()
    : app_(std::make_unique<CLI::App>("Attention, computed stage by stage.", kProgram)) {
  app_->set_version_flag("--version", std::string(kProgram) + " " + version());
  app_->require_subcommand(0, 1);
}

CommandParser::~CommandParser() = default;

Options CommandParser::add(const char* name, const std::string& says, Run run) {
  commands_.emplace_back(app_->add_subcommand(name, says), std::move(run));
  return Options(*commands_.back().first);
}

void CommandParser::add_device(Options& options, std::string& device) {
  options.add_device(device).add(
      "--patience", patience_, "SECONDS",
      "how long one call of a device's driver may take; then the reference computes (30)");
}

const CommandParser::Run* CommandParser::chosen() const {
  for (const auto& [command, run] : commands_)
    if (*command) return &run;
  return nullptr;
}

}  // namespace attn
