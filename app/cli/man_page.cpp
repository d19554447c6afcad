// The manual page: what --help prints of every command, one below the other, and options of a layer once.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <sstream>

#include "app/cli/describe.h"
#include "app/words/command_parser.h"
#include "app/words/version.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr std::string_view kLayerGroup = "Layer", kStatus = "Exit status: ";

// Text of a line: nothing of it is an instruction, a dash is one that can be typed.
std::string plain(std::string_view text) {
  std::string line = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  for (const char letter : text) {
    if (letter == '\\') line += "\\e";
    if (letter == '-') line += "\\-";
    if (letter != '\\' && letter != '-') line += letter;
    if (letter == '|') line += "\\:";                                  // a line may end here
    if (line.ends_with("…")) line.replace(line.size() - 3, 3, "...");  // which every terminal has
  }
  return line;
}

std::string bold(const std::string& text) {
  return "\\fB" + plain(text) + "\\fR";
}
std::string italic(const std::string& text) {
  return "\\fI" + plain(text) + "\\fR";
}

std::string first_name(const CLI::Option& option) {
  return option.get_lnames().empty() ? option.get_name() : option.get_lnames().front();
}

void write_option(std::ostream& out, const CLI::Option& option) {
  std::string names;
  for (const std::string& name : option.get_snames()) names += bold("-" + name) + ", ";
  for (const std::string& name : option.get_lnames()) names += bold("--" + name) + ", ";
  if (names.empty()) names = italic(option.get_name()) + ", ";
  names.resize(names.size() - 2);
  const std::string value = option.get_items_expected_max() > 0 ? option.get_type_name() : "";
  out << ".TP\n" << names << (value.empty() ? "" : " " + italic(value)) << '\n';
  out << plain(option.get_description()) << '\n';
}

bool is_of_layer(const CLI::Option* option) {
  return option->get_group() == kLayerGroup;
}

// The options of a layer as the first command has them that has any.
std::vector<const CLI::Option*> layer_options(const CLI::App& program) {
  for (const CLI::App* command : listed_commands(program)) {
    std::vector<const CLI::Option*> options = listed_options(*command);
    std::erase_if(options, std::not_fn(is_of_layer));
    if (!options.empty()) return options;
  }
  return {};
}

// The options, those of a layer only where their names are not the usual ones. Whether there are usual ones.
bool write_options(std::ostream& out, const CLI::App& command, const std::vector<const CLI::Option*>& usual) {
  bool any = false;
  for (const CLI::Option* option : listed_options(command)) {
    const bool known = is_of_layer(option) && std::ranges::any_of(usual, [&](const CLI::Option* other) {
                         return first_name(*other) == first_name(*option);
                       });
    any = any || known;
    if (!known) write_option(out, *option);
  }
  return any;
}

// What stands below the list of options, in front of the statuses; line by line.
void write_notes(std::ostream& out, const CLI::App& command) {
  std::istringstream notes(command.get_footer().substr(0, command.get_footer().find(kStatus)));
  for (std::string line; std::getline(notes, line);)
    if (!line.empty()) out << ".PP\n" << plain(line) << '\n';
}

void write_section(std::ostream& out, const CLI::App& command, const CLI::App& program,
                   const std::vector<const CLI::Option*>& usual) {
  out << ".SS " << plain(command.get_name()) << '\n' << plain(command.get_description()) << ".\n";
  if (write_options(out, command, usual))
    out << ".PP\nIt takes the options of a layer, which are listed below.\n";
  if (command.get_footer() != program.get_footer()) write_notes(out, command);
}

// Sentences that end with ";" are an item each.
void write_statuses(std::ostream& out, const std::string& footer) {
  const std::size_t begin = footer.find(kStatus);
  if (begin == footer.npos) return;
  out << ".SH \"EXIT STATUS\"\n";
  for (const std::string& part : split(footer.substr(begin + kStatus.size()), ';')) {
    const std::size_t number = part.find_first_not_of(" \n"), space = part.find(' ', number);
    out << ".TP\n" << bold(part.substr(number, space - number)) << '\n';
    out << plain(part.substr(space + 1)) << '\n';
  }
}

constexpr const char* kManEnd = R"(.SH FILES
.TP
.I ~/.config/attention\-lab
settings
.TP
.I ~/.local/state/attention\-lab
unsaved work, recent files
.TP
.I ~/.cache/attention\-lab
compiled kernels, verdicts on devices
.PP
XDG_CONFIG_HOME, XDG_STATE_HOME and XDG_CACHE_HOME name other folders.
.SH "SEE ALSO"
The manual, which F1 opens in the window.
)";

}  // namespace

std::string man_page(const CLI::App& program) {
  std::ostringstream out;
  const std::vector<const CLI::Option*> usual = layer_options(program);
  out << ".TH ATTENTION\\-LAB 1 \"\" \"Attention Lab " << plain(version())
      << "\" \"User Commands\"\n.nh\n.ad l\n";
  out << ".SH NAME\n"
      << plain(kProgram) << " \\- laboratory for attention, the mechanism inside every Transformer\n";
  out << ".SH SYNOPSIS\n" << bold(kProgram) << " [OPTIONS] [" << italic("SESSION") << "]\n";
  for (const CLI::App* command : listed_commands(program))
    out << ".br\n" << bold(kProgram) << ' ' << bold(command->get_name()) << " [OPTIONS] ...\n";
  out << ".SH DESCRIPTION\n" << plain(program.get_description()) << '\n';
  write_notes(out, program);
  out << ".SH OPTIONS\n";
  write_options(out, program, usual);
  out << ".SH COMMANDS\n";
  for (const CLI::App* command : listed_commands(program)) write_section(out, *command, program, usual);
  out << ".SH \"OPTIONS OF A LAYER\"\n";
  for (const CLI::Option* option : usual) write_option(out, *option);
  write_statuses(out, program.get_footer());
  out << kManEnd;
  return out.str();
}

}  // namespace attn
