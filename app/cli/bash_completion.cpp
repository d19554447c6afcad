// The completion of bash: options of the command that was typed, words that an option takes, names of
// examples, files.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <sstream>

#include "app/cli/commands.h"
#include "app/cli/describe.h"
#include "app/program/input.h"
#include "app/words/command_parser.h"
#include "core/text/text.h"

namespace attn {
namespace {

using Words = std::vector<std::string>;

bool is_word(std::string_view text) {
  return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_") == text.npos;
}

std::string joined(const Words& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

// Of "full|flash[:ROWS,KEYS]|linear[:elu|relu]": full flash linear.
Words words_of_kind(std::string_view kind) {
  Words words;
  std::string word;
  int depth = 0;
  for (const char letter : std::string(kind) + '|') {
    depth += letter == '[' ? 1 : letter == ']' ? -1 : 0;
    if (depth > 0 || letter == ']') continue;
    if (letter != '|') word += letter;
    if (letter == '|' && is_word(word)) words.push_back(word);
    if (letter == '|') word.clear();
  }
  return words;
}

// Of "a, b or c"; none of any other text.
Words words_of_list(std::string text) {
  if (const std::size_t last = text.rfind(" or "); last != text.npos) text.replace(last, 4, ", ");
  Words words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(", ", begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 2;
  }
  return words.size() > 1 && std::ranges::all_of(words, is_word) ? words : Words{};
}

// What an option takes that --help lists: in its kind; else as what is said of it, behind a colon or in
// brackets at its end.
Words words_taken(const CLI::Option& option) {
  if (Words words = words_of_kind(option.get_type_name()); !words.empty()) return words;
  std::string text = option.get_description();
  if (text.ends_with(')')) {
    text.pop_back();
    if (Words words = words_of_list(text.substr(text.rfind('(') + 1)); !words.empty()) return words;
  }
  const std::size_t colon = text.rfind(": ");
  return words_of_list(colon == text.npos ? text : text.substr(colon + 2));
}

bool takes_file(const CLI::Option& option) {
  const std::string kind = option.get_type_name();
  return kind.find("FILE") != kind.npos || kind.find('.') != kind.npos;
}

std::string names_of(const CLI::Option& option, const char* between) {
  std::string names;
  for (const std::string& name : option.get_snames()) names += (names.empty() ? "" : between) + ("-" + name);
  for (const std::string& name : option.get_lnames()) names += (names.empty() ? "" : between) + ("--" + name);
  return names;
}

// "words=… files=…" where an option that takes a value was typed last.
void write_values(std::ostream& out, const CLI::App& command) {
  out << "      case $before in\n";
  for (const CLI::Option* option : listed_options(command)) {
    if (!option->nonpositional() || option->get_items_expected_max() == 0) continue;
    out << "        " << names_of(*option, "|") << ") words='" << joined(words_taken(*option))
        << "' files=" << (takes_file(*option) ? "yes" : "") << " ;;\n";
  }
  out << "        *) value= ;;\n      esac\n";
}

// What else may stand there: words and files by their places, the other commands, options.
void write_places(std::ostream& out, const CLI::App& command, const Words& commands) {
  static constexpr std::array kLayers{"SESSION", "INPUT", "A", "B"};  // examples have names, benchmarks too
  Words words = commands, options;
  bool files = false;
  for (const CLI::Option* option : listed_options(command)) {
    if (option->nonpositional()) {
      options.push_back(names_of(*option, " "));
      continue;
    }
    const Words listed = words_taken(*option);
    const bool layer = std::ranges::count(kLayers, option->get_name()) > 0;
    const Words named = layer ? examples() : option->get_name() == "WHAT" ? bench_names() : listed;
    words.insert(words.end(), named.begin(), named.end());
    files = files || layer || named.empty();
  }
  std::ranges::sort(words);
  words.erase(std::ranges::unique(words).begin(), words.end());
  out << "      places='" << joined(words) << "' options='" << joined(options)
      << "' loose=" << (files ? "yes" : "") << " ;;\n";
}

void write_case(std::ostream& out, const std::string& name, const CLI::App& command, const Words& commands) {
  out << "    " << name << ")\n";
  write_values(out, command);
  write_places(out, command, commands);
}

constexpr const char* kScriptBegin =
    R"(# What bash completes the words of attention-lab by. Made by `attention-lab describe bash`.
_attention_lab() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
  local command= word words= files= value=yes places= options= loose=
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in )";
constexpr const char* kScriptEnd = R"(  esac
  if [ -z "$value" ]; then
    case $current in
      -*) words=$options ;;
      *) words=$places files=$loose ;;
    esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current"; [ -z "$files" ] || compgen -f -- "$current")
  [ -z "$files" ] || compopt -o filenames 2>/dev/null || true
}
complete -F _attention_lab attention-lab
)";

}  // namespace

std::string bash_completion(const CLI::App& program) {
  std::ostringstream out;
  Words commands;
  for (const CLI::App* command : listed_commands(program)) commands.push_back(command->get_name());
  std::string choice;
  for (const std::string& name : commands) choice += (choice.empty() ? "" : "|") + name;
  out << kScriptBegin << choice << ") command=$word; break ;; esac\n  done\n  case $command in\n";
  write_case(out, "''", program, commands);
  for (const CLI::App* command : listed_commands(program)) write_case(out, command->get_name(), *command, {});
  out << kScriptEnd;
  return out.str();
}

}  // namespace attn
