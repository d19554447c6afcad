// A computation as a program of another language: one that runs by itself.
#pragma once

#include <string>
#include <vector>

#include "core/code/language.h"
#include "core/graph/graph.h"

namespace attn::code {

// The needed stages, in order, each in its formula with its inputs' names; given matrices as they are, every
// number the shortest decimal that reads back as the same float. `needed`: by stage. The program ends with
// `weights` (h×n×m), those of the layer that the last output is of, or the last, and `output` (n×d).
// Throws Error, naming the stage, where one has no formula; and for more than kMostNumbers, before anything
// is written.
struct ProgramText {
  std::string text;
  std::vector<std::string> names;  // of the variables, by stage
};
ProgramText program_of(const Graph& graph, const std::vector<bool>& needed, const Language& language);

// The layer of the first output by PyTorch's functional attention, which makes its weights of the identity,
// or by MultiheadAttention with the layer's parameters in it. Throws Error, saying what of the layer the
// function does not do.
ProgramText program_by_function(const Graph& graph);
ProgramText program_by_module(const Graph& graph);

inline constexpr std::size_t kMostNumbers = 2'000'000;  // about 20 MB of text

}  // namespace attn::code
