// Every command with its options and what --help says of them.
#include "app/cli/program_words.h"

#include "app/cli/refuse.h"
#include "app/input.h"
#include "app/workspaces/workspaces.h"
#include "core/cost/presets.h"

namespace attn {
namespace {

constexpr const char* kStatuses =
    "Exit status: 0 done; 1 out of memory or a bug, of compare also a difference; 2 unknown words, or "
    "options that don't fit the input;\n"
    "3 the device asked for is missing or failed; 4 a bad input file; 5 the output could not be written.";

// What every command takes that computes on a device.
void add_device(CLI::App& command, std::string& device, CommandLine& words) {
  command.add_option("--device", device, "where to compute")->type_name("auto|reference|N|NAME");
  command
      .add_option("--patience", words.patience,
                  "how long one call of a device's driver may take; then the reference computes (30)")
      ->type_name("SECONDS");
}

// What every command takes that computes a layer.
void add_input(CLI::App& command, CommandLine& words) {
  command
      .add_option(
          "INPUT", words.input,
          "session (.json), picture that carries one (.png), .npz, or a built-in example: " + example_names())
      ->type_name("");
  add_device(command, words.device, words);
  command.add_option("--workspace", words.workspace, "which one: " + workspace_names())->type_name("NAME");
  command.footer(kStatuses);
}

std::string preset_names() {
  std::vector<std::string> names;
  for (const Preset& preset : presets()) names.emplace_back(preset.word);
  return listed(names);
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
  add_layer_options(program.app, program.words.opened_layer, "");
  program.app.footer(
      std::string("Without a command the window opens. Without a display, render draws a picture of it.\n"
                  "Both take the options of trace about the layer, the window for the SESSION it opens.\n") +
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

void add_compare(Program& program) {
  program.compare = program.app.add_subcommand(
      "compare", "Two layers stage by stage, or a layer and the numbers another program made of it");
  CompareRequest& words = program.words.compare;
  const auto add = [&](const char* name, std::string& word, const char* value, const char* help) {
    program.compare->add_option(name, word, help)->type_name(value);
  };
  add("A", words.a, "",
      "a layer, as trace takes it, or an .npz with stages by their names, as trace writes it");
  add("B", words.b, "", "the same; without it, A again with the options of a layer");
  add("-o,--output", program.words.output, "DIFF.npz", "write B − A of each stage here");
  add("--tolerance", words.tolerance, "T",
      "what a number may differ by; 2e-6 + 2e-5·|A| when absent, which rounding explains");
  add_device(*program.compare, program.words.device, program.words);
  add_layer_options(*program.compare, program.words.layer);
  program.compare->footer(kStatuses);
}

void add_render(Program& program) {
  program.render = program.app.add_subcommand(
      "render", "Draw a picture of the window, without a display; without INPUT, of the open work");
  add_input(*program.render, program.words);
  const auto add = [&](const char* name, std::string& word, const char* value, const char* help) {
    program.render->add_option(name, word, help)->type_name(value);
  };
  std::string places = "look at a place of the workspace";
  for (const Workspace& workspace : workspaces())
    if (!workspace.place.empty())
      places += "; of " + std::string(workspace.name) + ": " + std::string(workspace.place);
  RenderRequest& words = program.words.render;
  add("-o,--output", program.words.output, "OUT.png",
      "write the picture here; opening it restores its session");
  add("--beside", words.beside, "FILE",
      "the layer of a second input, beside that of INPUT, in the workspace that compares");
  add("--stage", words.stage, "STAGE", "stand on the step that computes this stage, as in scores");
  add("--size", words.size, "WxH", "pixels; 1600x1000 times the scale when absent");
  add("--scale", words.scale, "K", "size of letters and cells, from 0.5 to 4");
  add("--theme", words.theme, "dark|light|high-contrast", "colours");
  add("--at", words.at, "PLACE", places.c_str());
  add("--pin", words.pin, "STAGE:HEAD,ROW,COLUMN", "open this number in the inspector, as in scores:0,3,0");
  add_layer_options(*program.render, program.words.rendered_layer);
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
  add_device(*program.encode, words.device, program.words);
  program.encode->footer(kStatuses);
}

void add_regress(Program& program) {
  program.regress = program.app.add_subcommand("regress", "Estimate the values of points by a kernel");
  RegressRequest& words = program.words.regress;
  const auto add = [&](const char* name, std::string& word, const char* value, const char* help) {
    return program.regress->add_option(name, word, help)->type_name(value);
  };
  add("DATA", words.input, "", "points as .csv or .npy, a row each of x and values, or .npz with x and y");
  add("--kernel", words.kernel, "K",
      "gaussian, boxcar, constant, triangular, epanechnikov, biweight, tricube, cosine or dot")
      ->required();
  add("--width", words.width, "S|auto|knn:N",
      "the width σ; of the least leave-one-out error; as far as the N-th nearest point")
      ->required();
  add("--query", words.query, "A:B:N",
      "N places from A to B; 101 from the first point to the last when absent");
  program.regress->add_flag("--local", words.local,
                            "write the local line too: the least-squares line through the weighted points");
  program.regress->add_flag("--weights", words.weights, "write the weight of every point at every query too");
  add("-o,--output", words.output, "OUT.npz", "write the arrays here");
  add_device(*program.regress, words.device, program.words);
  program.regress->footer(kStatuses);
}

void add_cost(Program& program) {
  program.cost =
      program.app.add_subcommand("cost", "Count what a layer takes: operations and bytes of every stage");
  CostRequest& words = program.words.cost;
  const auto add = [&](const char* name, std::string& word, const char* value, const std::string& help) {
    program.cost->add_option(name, word, help)->type_name(value);
  };
  add("--preset", words.preset, "NAME",
      "a published shape, which the other options change: " + preset_names());
  add("--n", words.n, "N", "tokens");
  add("--d", words.d, "D", "width of the model");
  add("--heads", words.heads, "H", "heads");
  add("--kv-heads", words.kv_heads, "G", "key/value heads; as many as heads when absent");
  add("--layers", words.layers, "L", "layers; 1 when absent");
  add("--batch", words.batch, "B", "sequences at once; 1 when absent");
  add("--format", words.format, "float32|float16|bfloat16|int8", "of every number; float32 when absent");
  add("--mechanism", words.mechanism, "full|flash|window:W|strided:L|linear|recurrent",
      "how tokens are mixed; full when absent. Keys at most W away; L before, and every L-th");
  add("--feed-forward", words.feed_forward, "F", "inner width of the feed-forward; 4·D when absent");
  program.cost->add_flag("--gated", words.gated, "the feed-forward has a third matrix, as SwiGLU");
  program.cost->add_flag("--causal", words.causal, "window and stride reach no later keys");
  program.cost->add_flag("--backward", words.backward, "count the backward pass instead of the forward one");
  program.cost->add_flag("--json", words.json, "as JSON");
  program.cost->add_flag("--csv", words.csv, "the stages as CSV");
  program.cost->footer(kStatuses);
}

void add_bench(Program& program) {
  program.bench = program.app.add_subcommand("bench", "Measure how fast the program answers");
  BenchRequest& words = program.words.bench;
  program.bench
      ->add_option("WHAT", words.what,
                   "frames, or layers, plots, positions, kernels, softmax, cost or start of them alone; "
                   "trace: packing an "
                   ".npz; each with its target; attention: its time over n, beside Eigen's")
      ->type_name("");
  program.bench->add_option("--device", words.device, "where to compute")->type_name("auto|reference|N|NAME");
  program.bench->add_flag("--json", words.json, "as JSON");
  program.bench->add_flag("--quick", words.quick, "a few samples only, to see that it runs");
  const auto add = [&](const char* name, std::string& word, const char* type, const char* text) {
    program.bench->add_option(name, word, text)->type_name(type);
  };
  add("--n", words.n, "N,N…",
      "attention: these numbers of tokens; else 16, 32, 64 … as far as memory and time go");
  add("--heads", words.heads, "H", "attention: heads (8)");
  add("--d", words.d, "D", "attention: width of the layer (512)");
  program.bench->add_option("--number", words.number)->group("");
}

}  // namespace

void add_commands(Program& program) {
  program.app.set_version_flag("--version", std::string(kProgram) + " " + ATTENTION_LAB_VERSION);
  program.app.require_subcommand(0, 1);
  add_lab(program);
  add_trace(program);
  add_compare(program);
  add_render(program);
  add_encode(program);
  add_regress(program);
  add_cost(program);
  program.devices = program.app.add_subcommand("devices", "List devices: verdict, error and speed of each");
  program.devices->add_flag("--json", program.words.json, "as JSON");
  program.devices->add_flag("--retest", program.words.retest,
                            "test every device again, those too that failed or whose driver crashed or hung");
  add_bench(program);
  // Runs in a child process of its own, so that a crashing driver takes nothing else along.
  program.probe = program.app.add_subcommand("probe", "")->group("");
  program.probe->add_option("WHAT", program.words.probe, "list, or a device's number");
}

}  // namespace attn
