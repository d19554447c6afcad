// CommandParser: the commands of the command line, each with its options and what it does.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/words/console.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace attn {

inline constexpr const char* kProgram = "attention-lab";

// The options of a command. The parser keeps pointers to what they fill: whoever runs the command keeps it.
class Options {
 public:
  explicit Options(CLI::App& command) : command_(&command) {}
  CLI::App& command() const { return *command_; }

  // One that takes a value of this kind, "N"; without dashes in its name it stands by its place.
  Options& add(const char* name, std::string& word, const char* value, const std::string& says);
  Options& add(const char* name, bool& on, const std::string& says);  // without a value
  Options& add_device(std::string& device);                           // where to compute
  Options& required();                                                // the last one has to be given
  Options& add_hidden(const char* name, long long& number);
  Options& add_hidden(const char* name, std::string& word);
  // Below the list: the statuses that the program ends with, behind other words.
  void end_with_statuses(const std::string& words = {});
  void hide();  // --help does not list the command

 private:
  CLI::App* command_;
  CLI::Option* last_ = nullptr;
};

class CommandParser {
 public:
  // Its status. It throws Error; the command line turns that into one, and then nothing is printed or
  // written.
  using Run = std::function<int(Console&)>;

  CommandParser();
  ~CommandParser();

  Options add(const char* name, const std::string& says, Run run);
  // What a command takes besides that computes on a device.
  void add_device(Options& options, std::string& device);

  CLI::App& app() const { return *app_; }
  const std::string& patience() const { return patience_; }  // with one call of a driver, as given
  // The command that was given; null where none was.
  const Run* chosen() const;

 private:
  std::unique_ptr<CLI::App> app_;
  std::vector<std::pair<CLI::App*, Run>> commands_;
  std::string patience_;
};

}  // namespace attn
