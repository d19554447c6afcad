// What a computation leaves as: a program of another language, or a text to be read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/io/stages_text.h"

namespace attn {

struct CodeKind {
  std::string_view name;       // of the command line
  std::string_view title;      // for a person
  bool reads_numbers = false;  // of all stages; programs compute them
  // Throws Error, saying why, for what the language or the function cannot do.
  std::string (*write)(const Graph& graph, const std::vector<bool>& needed,
                       const NumbersOf& numbers) = nullptr;
};

std::vector<CodeKind> code_kinds();

}  // namespace attn
