// Programs of other languages, run: what each of their variables holds.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/code/program.h"

namespace attn::tests {

// Whether what runs it is installed.
bool can_run(const code::Language& language);

// By stage, matrix after matrix and row after row; empty where a stage is not needed. The program's own words
// where it fails: `failed`.
struct ProgramRun {
  std::vector<std::vector<double>> numbers;
  std::string failed;
};
ProgramRun run_program(const Graph& graph, const std::vector<bool>& needed, const code::Language& language);

// The same of a program that is there: of the variables that it ends with, and maybe lines before it.
ProgramRun run_program(const Graph& graph, const code::ProgramText& program, const std::vector<bool>& shown,
                       const code::Language& language, const std::string& before = {});

// "" where all are near: within `accepted` times the larger of 1 and what is expected.
std::string difference(const std::vector<double>& numbers, std::span<const double> expected, double accepted);

// "" where every stage of the graph comes out as in double, within `accepted` times the larger of 1 and what
// it is; else the first that does not, and the line that computes it.
std::string differs_from_double(const Graph& graph, const code::Language& language, double accepted = 1e-9);

}  // namespace attn::tests
