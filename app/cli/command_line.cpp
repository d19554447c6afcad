// The words of the command line, and what they start.
#include "app/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <new>
#include <string>
#include <vector>

#include "app/cli/program_words.h"
#include "app/host/shader_cache.h"
#include "app/program/input.h"
#include "app/words/command_parser.h"
#include "app/words/refuse.h"
#include "core/system/error.h"
#include "core/text/numbers.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr double kMostPatience = 1e6;  // seconds

std::vector<std::string> known_words(const CLI::App& app) {
  std::vector<std::string> words;
  for (const CLI::App* command : app.get_subcommands({}))
    if (!command->get_group().empty()) words.push_back(command->get_name());
  for (const CLI::Option* option : app.get_options())
    if (!option->get_lnames().empty()) words.push_back("--" + option->get_lnames().front());
  return words;
}

[[noreturn]] void unknown_word(const CLI::App& parser, const CLI::App& app, const std::string& word) {
  const std::string where = &app == &parser ? "" : app.get_name() + ": ";
  std::vector<std::string> known = known_words(app);
  if (&app == &parser) std::ranges::copy(examples(), std::back_inserter(known));
  const std::string nearest = nearest_word(word, known);
  throw Error(where + "unknown word \"" + word + "\"; " +
                  (nearest.empty() ? "see --help" : "did you mean \"" + nearest + "\"?"),
              Fault::option);
}

// Without a command a word names what to open; one that names nothing and looks like no file was meant
// otherwise.
void check_session_word(const CommandParser& parser, const LabWords& lab) {
  const std::string& word = lab.request.input;
  const auto chosen = parser.app().get_subcommands();
  if (!chosen.empty() && any_given(lab.layer))
    throw Error("put the options of a layer after " + chosen.front()->get_name(), Fault::option);
  if (word.empty()) return;
  if (!chosen.empty()) unknown_word(parser.app(), *chosen.front(), word);
  std::error_code ignored;
  const bool file = word.find_first_of("./") != word.npos || std::filesystem::exists(word, ignored);
  if (!file && std::ranges::count(examples(), word) == 0) unknown_word(parser.app(), parser.app(), word);
}

// The first word that nobody took, with the nearest that somebody would have.
[[noreturn]] void unknown_word(const CommandParser& parser, const LabWords& lab) {
  check_session_word(parser, lab);
  const auto chosen = parser.app().get_subcommands();
  const CLI::App& app = chosen.empty() || parser.app().remaining_size() > 0 ? parser.app() : *chosen.front();
  const std::string word = app.remaining().front();
  unknown_word(parser.app(), app, word.substr(0, word.find('=')));
}

std::chrono::milliseconds read_patience(const std::string& word) {
  const auto seconds = parse_number<double>(word);
  if (!seconds || !(*seconds > 0 && *seconds <= kMostPatience))
    refuse("--patience", word, "seconds, more than 0 and at most 1e6");
  return std::chrono::ceil<std::chrono::milliseconds>(std::chrono::duration<double>(*seconds));
}

void run_lab(LabWords& lab, const Console& console) {
  use_shader_cache_if_safe();
  const bool given = any_given(lab.layer);
  if (given && lab.request.input.empty())
    throw Error("options of a layer need the SESSION that they are laid over, as in " +
                    std::string(kStartExample) + " --mask causal",
                Fault::option);
  if (given) lab.request.change = read_start_options(lab.layer);
  open_lab(lab.request, console);
}

int run_words(CommandParser& parser, LabWords& lab, Console& console) {
  check_session_word(parser, lab);
  if (!parser.patience().empty()) console.patience = read_patience(parser.patience());
  if (const CommandParser::Run* run = parser.chosen()) return (*run)(console);
  run_lab(lab, console);
  return kDone;
}

// Parses and runs. Help and version end here too.
int parse_and_run(int argc, const char* const* argv, Console& console) {
  CommandParser parser;
  LabWords lab;
  add_commands(parser, lab);
  try {
    parser.app().parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    console.out << parser.app().help();
    return kDone;
  } catch (const CLI::CallForVersion& version) {
    console.out << version.what() << '\n';
    return kDone;
  } catch (const CLI::ExtrasError&) {
    unknown_word(parser, lab);
  } catch (const CLI::ParseError& error) {
    throw Error(error.what(), Fault::option);
  }
  for (const CLI::App* command : parser.app().get_subcommands())
    if (const CLI::Option* output = command->get_option_no_throw("--output");
        output && output->count() > 0 && output->as<std::string>().empty())
      throw Error("-o needs a name, as in " + output->get_type_name(), Fault::option);
  return run_words(parser, lab, console);
}

ExitStatus status_of(Fault fault) {
  switch (fault) {
    case Fault::option:
      return kBadWords;
    case Fault::device:
      return kNoDevice;
    case Fault::input:
      return kBadInput;
    case Fault::output:
      return kNotWritten;
    case Fault::memory:
      return kOutOfOrder;
  }
  return kOutOfOrder;
}

// What the work returns, or the status of what it throws, which is said; no file appears then.
template <class Work>
int status_after(Console& console, const Work& work) {
  int status = kOutOfOrder;
  try {
    return work();
  } catch (const Error& error) {
    status = status_of(error.fault());
    console.err << kProgram << ": " << printable(error.what()) << '\n';
  } catch (const std::bad_alloc&) {
    console.err << kProgram << ": out of memory; use a smaller layer\n";
  } catch (const std::exception& error) {
    console.err << kProgram << ": " << printable(error.what()) << " (this is a bug)\n";
  }
  console.take_back();
  return status;
}

}  // namespace

int command_line(int argc, const char* const* argv, Console& console) {
  const int status = status_after(console, [&] { return parse_and_run(argc, argv, console); });
  return status_after(console, [&] {
    console.hand_out();
    return status;
  });
}

}  // namespace attn
