// The words of the command line, and what they start.
#include "app/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <new>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "app/host/shader_cache.h"
#include "app/input.h"
#include "core/error.h"
#include "core/opencl/devices.h"
#include "core/text.h"

namespace attn {
namespace {

constexpr const char* kProgram = "attention-lab";

constexpr const char* kStatuses =
    "Exit status: 0 done; 1 out of memory or a bug; 2 unknown words, or options that don't fit the input;\n"
    "3 the device asked for is missing or failed; 4 a bad input file; 5 the output could not be written.";

// The words as given. CLI11 keeps pointers into it.
struct CommandLine {
  std::string input, output, device = "auto", workspace, probe;
  LayerWords layer;
  RenderRequest render;
  LabRequest lab;
  BenchRequest bench;
  EncodeRequest encode;
  bool json = false, retest = false;
};

struct Program {
  CLI::App app{"Attention, computed stage by stage.", kProgram};
  CLI::App* trace = nullptr;
  CLI::App* render = nullptr;
  CLI::App* encode = nullptr;
  CLI::App* devices = nullptr;
  CLI::App* bench = nullptr;
  CLI::App* probe = nullptr;
  CommandLine words;
};

// What every command takes that computes a layer.
void add_input(CLI::App& command, CommandLine& words) {
  command
      .add_option(
          "INPUT", words.input,
          "session (.json), picture that carries one (.png), .npz, or a built-in example: " + example_names())
      ->type_name("");
  command.add_option("--device", words.device, "where to compute")->type_name("auto|reference|N|NAME");
  command.add_option("--workspace", words.workspace, "which one: " + workspace_names())->type_name("NAME");
  command.footer(kStatuses);
}

// What works without a command.
void add_lab(Program& program) {
  LabRequest& words = program.words.lab;
  program.app
      .add_option("SESSION", words.input,
                  "open this: a session, a picture that carries one, an .npz or a built-in example")
      ->type_name("");
  program.app.add_option("--device", words.device, "where to compute")->type_name("auto|reference|N|NAME");
  program.app
      .add_option(
          "--ui-scale", words.ui_scale,
          "size of letters and cells, from 0.5 to 4: of this run, whatever the monitor and the settings say")
      ->type_name("K");
  program.app.footer(
      std::string("Without a command the window opens. Without a display, render draws a picture of it.\n") +
      kStatuses);
}

void add_trace(Program& program) {
  program.trace = program.app.add_subcommand("trace", "Compute every stage of a layer");
  add_input(*program.trace, program.words);
  program.trace
      ->add_option("-o,--output", program.words.output, "write the stages here; without it, print them")
      ->type_name("OUT.npz");
  add_layer_options(*program.trace, program.words.layer);
}

void add_render(Program& program) {
  program.render = program.app.add_subcommand(
      "render", "Draw a picture of the window, without a display; without INPUT, of the open work");
  add_input(*program.render, program.words);
  const auto add = [&](const char* name, std::string& word, const char* value, const char* help) {
    program.render->add_option(name, word, help)->type_name(value);
  };
  RenderRequest& words = program.words.render;
  add("-o,--output", program.words.output, "OUT.png",
      "write the picture here; opening it restores its session");
  add("--stage", words.stage, "STAGE", "stand on the step that computes this stage, as in scores");
  add("--size", words.size, "WxH", "pixels; 1600x1000 times the scale when absent");
  add("--scale", words.scale, "K", "size of letters and cells, from 0.5 to 4");
  add("--theme", words.theme, "dark|light|high-contrast", "colours");
  add("--at", words.at, "ROW,COLUMN",
      "look at this place of the workspace's matrix, as in 17,6 of positions");
  add("--pin", words.pin, "STAGE:HEAD,ROW,COLUMN", "open this number in the inspector, as in scores:0,3,0");
}

void add_encode(Program& program) {
  program.encode = program.app.add_subcommand("encode", "Write the numbers of a position encoding");
  EncodeRequest& words = program.words.encode;
  const auto add = [&](const char* name, std::string& word, const char* value, const char* help) {
    program.encode->add_option(name, word, help)->type_name(value);
  };
  add("KIND", words.kind, "", "which one, as trace's --position takes it: sinusoidal, learned:SEED, rope …");
  add("--length", words.length, "N", "positions");
  add("--width", words.width, "D", "features of a row; of alibi and t5 the heads");
  add("--base", words.base, "B", "wavelengths grow up to 2π times this; 10000 when absent");
  add("--shift", words.shift, "S", "the first position; 0 when absent");
  add("-o,--output", words.output, "OUT.npy", "write the array here");
  add("--device", words.device, "auto|reference|N|NAME", "where to compute");
  program.encode->footer(kStatuses);
}

void add_bench(Program& program) {
  program.bench = program.app.add_subcommand("bench", "Measure how fast the program answers");
  BenchRequest& words = program.words.bench;
  program.bench
      ->add_option("WHAT", words.what,
                   "frames: scrubbing, first frame, many maps, rest; trace: packing an .npz; each with its "
                   "target")
      ->type_name("");
  program.bench->add_option("--device", words.device, "where to compute")->type_name("auto|reference|N|NAME");
  program.bench->add_flag("--json", words.json, "as JSON");
  program.bench->add_flag("--quick", words.quick, "a few samples only, to see that it runs");
  program.bench->add_option("--number", words.number)->group("");
}

void add_commands(Program& program) {
  program.app.set_version_flag("--version", std::string(kProgram) + " " + ATTENTION_LAB_VERSION);
  program.app.require_subcommand(0, 1);
  add_lab(program);
  add_trace(program);
  add_render(program);
  add_encode(program);
  program.devices = program.app.add_subcommand("devices", "List devices: verdict, error and speed of each");
  program.devices->add_flag("--json", program.words.json, "as JSON");
  program.devices->add_flag("--retest", program.words.retest,
                            "test every device again, those too that failed or whose driver crashed or hung");
  add_bench(program);
  // Runs in a child process of its own, so that a crashing driver takes nothing else along.
  program.probe = program.app.add_subcommand("probe", "")->group("");
  program.probe->add_option("WHAT", program.words.probe, "list, or a device's number");
}

std::vector<std::string> known_words(const CLI::App& app) {
  std::vector<std::string> words;
  for (const CLI::App* command : app.get_subcommands({}))
    if (!command->get_group().empty()) words.push_back(command->get_name());
  for (const CLI::Option* option : app.get_options())
    if (!option->get_lnames().empty()) words.push_back("--" + option->get_lnames().front());
  return words;
}

[[noreturn]] void unknown_word(const CLI::App& program, const CLI::App& app, const std::string& word) {
  const std::string where = &app == &program ? "" : app.get_name() + ": ";
  std::vector<std::string> known = known_words(app);
  if (&app == &program) std::ranges::copy(examples(), std::back_inserter(known));
  const std::string nearest = nearest_word(word, known);
  throw Error(where + "unknown word \"" + word + "\"; " +
                  (nearest.empty() ? "see --help" : "did you mean \"" + nearest + "\"?"),
              Fault::option);
}

// Without a command a word names what to open; one that names nothing and looks like no file was meant
// otherwise.
void check_session_word(const Program& program) {
  const std::string& word = program.words.lab.input;
  if (word.empty()) return;
  const auto chosen = program.app.get_subcommands();
  if (!chosen.empty()) unknown_word(program.app, *chosen.front(), word);
  std::error_code ignored;
  const bool file = word.find_first_of("./") != word.npos || std::filesystem::exists(word, ignored);
  if (!file && std::ranges::count(examples(), word) == 0) unknown_word(program.app, program.app, word);
}

// The first word that nobody took, with the nearest that somebody would have.
[[noreturn]] void unknown_word(const Program& program) {
  check_session_word(program);
  const auto chosen = program.app.get_subcommands();
  const CLI::App& app = chosen.empty() || program.app.remaining_size() > 0 ? program.app : *chosen.front();
  const std::string word = app.remaining().front();
  unknown_word(program.app, app, word.substr(0, word.find('=')));
}

void run_render(CommandLine& words, std::ostream& err) {
  if (words.output.empty()) throw Error("render needs -o OUT.png, the picture to write", Fault::option);
  words.render.input = words.input;
  words.render.output = words.output;
  words.render.device = words.device;
  words.render.workspace = words.workspace;
  render(words.render, err);
}

int run_words(Program& program, std::ostream& out, std::ostream& err) {
  CommandLine& words = program.words;
  check_session_word(program);
  if (*program.probe) return opencl::probe(words.probe);
  if (*program.devices) {
    list_devices({.json = words.json, .retest = words.retest}, out, err);
    return kDone;
  }
  if (*program.encode) {
    encode(words.encode, err);
    return kDone;
  }
  if (!*program.trace) use_shader_cache_if_safe();  // what follows draws
  if (*program.bench) {
    run_bench(words.bench, out);
    return kDone;
  }
  if (*program.trace && words.input.empty())
    throw Error("trace needs an INPUT: a file, or a built-in example: " + example_names(), Fault::option);
  if (*program.render) {
    run_render(words, err);
    return kDone;
  }
  if (!*program.trace) {
    open_lab(words.lab);
    return kDone;
  }
  if (program.trace->count("--output") > 0 && words.output.empty())
    throw Error("-o needs a name, as in OUT.npz", Fault::option);
  trace({.input = words.input,
         .output = words.output,
         .device = words.device,
         .workspace = words.workspace,
         .change = read_layer_options(words.layer)},
        out, err);
  return kDone;
}

// Parses and runs. Help and version end here too.
int parse_and_run(int argc, const char* const* argv, std::ostream& out, std::ostream& err) {
  Program program;
  add_commands(program);
  try {
    program.app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    out << program.app.help();
    return kDone;
  } catch (const CLI::CallForVersion& version) {
    out << version.what() << '\n';
    return kDone;
  } catch (const CLI::ExtrasError&) {
    unknown_word(program);
  } catch (const CLI::ParseError& error) {
    throw Error(error.what(), Fault::option);
  }
  return run_words(program, out, err);
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

}  // namespace

int command_line(int argc, const char* const* argv, std::ostream& out, std::ostream& err) {
  try {
    return parse_and_run(argc, argv, out, err);
  } catch (const Error& error) {
    err << kProgram << ": " << printable(error.what()) << '\n';
    return status_of(error.fault());
  } catch (const std::bad_alloc&) {
    err << kProgram << ": out of memory; use a smaller layer\n";
  } catch (const std::exception& error) {
    err << kProgram << ": " << printable(error.what()) << " (this is a bug)\n";
  }
  return kOutOfOrder;
}

}  // namespace attn
