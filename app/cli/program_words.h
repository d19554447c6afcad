// The words that the command line takes: its commands with their options, and what they were given.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "app/cli/commands.h"

namespace attn {

inline constexpr const char* kProgram = "attention-lab";

// The words as given. CLI11 keeps pointers into it.
struct CommandLine {
  std::string input, output, device = "auto", patience, workspace, probe;
  LayerWords layer, rendered_layer, opened_layer;  // of trace and compare, of render and of the window
  CompareRequest compare;
  RenderRequest render;
  LabRequest lab;
  BenchRequest bench;
  EncodeRequest encode;
  RegressRequest regress;
  CostRequest cost;
  bool json = false, retest = false;
};

struct Program {
  CLI::App app{"Attention, computed stage by stage.", kProgram};
  CLI::App* trace = nullptr;
  CLI::App* compare = nullptr;
  CLI::App* render = nullptr;
  CLI::App* encode = nullptr;
  CLI::App* regress = nullptr;
  CLI::App* cost = nullptr;
  CLI::App* devices = nullptr;
  CLI::App* bench = nullptr;
  CLI::App* probe = nullptr;
  CommandLine words;
};

// Declares all of them.
void add_commands(Program& program);

}  // namespace attn
